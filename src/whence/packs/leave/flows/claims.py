"""Claims of a request's dossier: each cites the stated facts and the text of its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from whence.packs.leave.eligibility.assessing import assess, assess_law
from whence.packs.leave.eligibility.book import BASES, WEAK, Basis, Dated
from whence.packs.leave.eligibility.overview import Overview, overview
from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.evidence import BundledEvidence, Cite, ClaimDraft, Figure

from .dossier import cover_words, leave_words, rule_words

METHOD = "rules:leave@1"
RECORD, RULE = "record", "rule"
"""Roles of evidence."""
STANDING, RULE_RESULT, LEFT = "leave.standing@1", "leave.rule@1", "leave.left_weeks@1"
CONFIDENCE = {
    Basis.TEXT: 1.0,
    Basis.OLDER_TEXT: 0.9,
    Basis.AGENCY: 0.9,
    Basis.SECONDARY: 0.6,
    Basis.NOT_CHECKED: 0.4,
}
"""How far a conclusion can be relied on by what its rule was compared with; of several, the weakest
counts.  The rest follows from the stated facts by plain code.  Whether the facts are right is
another matter, and the wording says `appears`."""

Cited = Sequence[BundledEvidence]
Settings = Mapping[str, Any]


def claims_of(
    assessment: Overview, record: UUID, rules: Mapping[str, UUID]
) -> Iterator[ClaimDraft]:
    """Every conclusion that a rule and the facts carry."""
    for law in assessment.assessed:
        yield _claim(
            f"eligibility.{law.law.value}",
            law.wording,
            law.eligibility.value,
            record,
            rules,
            [one.rule for one in law.results],
            Figure(STANDING, {"law": law.law.value}),
        )
        for one in law.results:
            yield _claim(
                f"rules.{one.rule.id}",
                rule_words(one),
                one.result.value,
                record,
                rules,
                [one.rule],
                Figure(RULE_RESULT, {"rule": one.rule.id}),
            )
    for leave in assessment.leave:
        statement = " ".join(filter(None, [leave_words(leave), cover_words(leave)]))
        yield _claim(
            f"leave.{leave.law.value}",
            statement,
            leave.left_weeks,
            record,
            rules,
            [leave.provision],
            Figure(LEFT, {"law": leave.law.value}),
        )
    for at, one in enumerate(assessment.together):
        laws = [law.value for law in one.laws]
        yield _claim(f"together[{at}]", one.text, laws, record, rules, [one.provision])
    for at, one in enumerate(assessment.remarks):
        yield _claim(f"remarks[{at}]", one.text, None, record, rules, [one.provision])
    for deadline in assessment.deadlines:
        on = deadline.on.isoformat() if deadline.on else None
        path = f"dates.{deadline.name}"
        yield _claim(path, deadline.text, on, record, rules, [deadline.provision])


def _claim(
    path: str,
    statement: str,
    value: Any,
    record: UUID,
    rules: Mapping[str, UUID],
    carrying: Sequence[Dated],
    figure: Figure | None = None,
) -> ClaimDraft:
    cites = dict.fromkeys([record, *(rules[one.id] for one in carrying)])
    return ClaimDraft(
        path=path,
        statement=statement + _marks(carrying),
        value=value,
        confidence=min(CONFIDENCE[one.basis] for one in carrying),
        method=METHOD,
        cites=tuple(Cite(one) for one in cites),
        figure=figure,
    )


def _marks(carrying: Sequence[Dated]) -> str:
    """Which sections were not read themselves, after the sentence: whoever reads a conclusion by
    itself reads that too."""
    weak = [f"{one.section}: {BASES[one.basis]}" for one in carrying if one.basis in WEAK]
    return f" [{'; '.join(dict.fromkeys(weak))}]" if weak else ""


def standing(cited: Cited, settings: Settings) -> str:
    """A law's standing, from the stated facts alone."""
    return assess_law(_stated(cited), Law(settings["law"])).eligibility.value


def rule_result(cited: Cited, settings: Settings) -> str:
    """One rule's result, from the stated facts alone."""
    results = (one for law in assess(_stated(cited)) for one in law.results)
    return next(one.result.value for one in results if one.rule.id == settings["rule"])


def left_weeks(cited: Cited, settings: Settings) -> float | None:
    """The weeks left under a law, from the stated facts alone."""
    leave = overview(_stated(cited)).leave_of(Law(settings["law"]))
    if leave is None:
        raise ValueError("the law gives no leave on these facts")
    return leave.left_weeks


def _stated(cited: Cited) -> LeaveRequest:
    record = next(item for item in cited if item.judgement.role == RECORD)
    return LeaveRequest.model_validate(record.evidence.data)


RECOMPUTATIONS = {STANDING: standing, RULE_RESULT: rule_result, LEFT: left_weeks}
