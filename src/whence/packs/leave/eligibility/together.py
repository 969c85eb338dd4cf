"""Which laws a leave runs under at the same time, what each uses up, and what may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.packs.leave.records import BONDING, Law, LeaveRequest, Reason

from .assessing import Eligibility, LawAssessment, assess_law
from .book import Provision, RuleBook
from .days import DAY
from .editions import book_for
from .judging import Result
from .words import FIELDS, LAWS, join_words, lower_first


@dataclass(frozen=True)
class Together:
    """A sentence on the laws that run, and the provision that says so."""

    laws: tuple[Law, ...]
    text: str
    provision: Provision


def together(
    request: LeaveRequest, assessed: Sequence[LawAssessment], book: RuleBook | None = None
) -> tuple[Together, ...]:
    """What runs with what, among the laws that the employee appears, or may be, eligible under."""
    book = book or book_for(request)
    sure = tuple(one.law for one in assessed if one.eligibility is Eligibility.APPEARS_ELIGIBLE)
    open_laws = tuple(
        one.law for one in assessed if one.eligibility is not Eligibility.NOT_ELIGIBLE
    )
    if request.reason is None or not open_laws:
        return ()
    may = "run" if set(sure) == set(open_laws) else "would run"
    sentences = [_pregnancy(open_laws, may, book)] if Law.PDL in open_laws else []
    if Law.PDL not in open_laws:
        sentences.append(_others(open_laws, may, book))
    if request.reason is Reason.PREGNANCY_DISABILITY:
        sentences += _bonding_after(request, book)
    if request.reason in BONDING and Law.CFRA in open_laws:
        text = "Pregnancy disability leave taken before does not use up CFRA leave for bonding."
        sentences.append(Together((Law.CFRA,), text, book.provisions["together.pdl_cfra"]))
    return tuple(sentences)


def _pregnancy(laws: tuple[Law, ...], may: str, book: RuleBook) -> Together:
    rule = book.provisions["together.pdl_fmla"]
    if Law.FMLA in laws:
        text = (
            f"Pregnancy disability leave and FMLA {may} at the same time, FMLA for up to "
            f"{book.weeks('fmla.amount'):.0f} weeks; CFRA is not used up."
        )
        return Together((Law.PDL, Law.FMLA), text, rule)
    text = (
        f"Pregnancy disability leave {may}{'s' if may == 'run' else ''} alone; CFRA is not used up."
    )
    return Together((Law.PDL,), text, book.provisions["together.pdl_cfra"])


def _others(laws: tuple[Law, ...], may: str, book: RuleBook) -> Together:
    rule = book.provisions["together.fmla_cfra"]
    if len(laws) > 1:
        text = f"FMLA and CFRA {may} at the same time, and the leave uses up both."
        return Together(laws, text, rule)
    law = next(iter(laws))
    other = LAWS[Law.CFRA if law is Law.FMLA else Law.FMLA]
    runs = "runs" if may == "run" else may
    return Together(laws, f"Only {LAWS[law]} {runs}; {other} leave is not used up by it.", rule)


def _bonding_after(request: LeaveRequest, book: RuleBook) -> list[Together]:
    """Bonding once the pregnancy disability leave is over, as far as it can be told today."""
    start = request.ends_on + DAY if request.ends_on else None
    later = request.model_copy(
        update={
            "reason": Reason.BONDING_BIRTH,
            "starts_on": start,
            "ends_on": None,
            "child_arrives_on": request.child_arrives_on,
        }
    )
    cfra = assess_law(later, Law.CFRA)
    rule = book.provisions["together.pdl_cfra"]
    weeks = f"up to {book.weeks('cfra.amount'):.0f} weeks for bonding under CFRA"
    match cfra.eligibility:
        case Eligibility.APPEARS_ELIGIBLE:
            text = (
                f"After the pregnancy disability leave the employee appears eligible for {weeks}."
            )
        case Eligibility.UNDETERMINED:
            what = join_words([FIELDS[name] for name in cfra.missing])
            text = f"After it, {weeks} may follow; that cannot be determined yet: {what}."
        case Eligibility.NOT_ELIGIBLE:
            why = join_words(
                [lower_first(one.rule.title) for one in cfra.with_result(Result.NOT_MET)]
            )
            text = f"After it, the employee does not appear eligible for {weeks}: {why}."
    return [Together((Law.CFRA,), text, rule)]
