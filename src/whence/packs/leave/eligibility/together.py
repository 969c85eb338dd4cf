"""Which laws a leave runs under at the same time, what each uses up, and what may follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.packs.leave.records import Law, LeaveRequest, Reason

from .assessing import ELIGIBLE, Eligibility, LawAssessment, assess
from .book import Provision, RuleBook
from .days import DAY
from .editions import book_for
from .entitlement import LawLeave, leave_under
from .judging import Result
from .words import FIELDS, LAWS, counted, day, join_words, lower_first


@dataclass(frozen=True)
class Together:
    """A sentence on the laws that run, and the provision that says so."""

    laws: tuple[Law, ...]
    text: str
    provision: Provision


def together(
    request: LeaveRequest,
    assessed: Sequence[LawAssessment],
    leave: Sequence[LawLeave],
    book: RuleBook | None = None,
) -> tuple[Together, ...]:
    """What runs with what, among the laws that may give the leave and have some of it left."""
    book = book or book_for(request)
    exhausted = [one for one in leave if one.is_exhausted]
    used_up = {one.law for one in exhausted}
    sure = tuple(one.law for one in assessed if one.eligibility in ELIGIBLE)
    open_laws = tuple(
        one.law
        for one in assessed
        if one.eligibility is not Eligibility.NOT_ELIGIBLE and one.law not in used_up
    )
    if request.reason is None or not (open_laws or exhausted):
        return ()
    may = "run" if set(open_laws) <= set(sure) else "would run"
    sentences: list[Together] = []
    if Law.PDL in open_laws:
        sentences.append(_pregnancy(open_laws, may, book, leave))
    elif open_laws:
        sentences.append(_others(open_laws, may, book, leave))
    sentences += [_exhausted(one, book) for one in exhausted]
    if request.reason is Reason.PREGNANCY_DISABILITY and any(
        one.law is Law.PDL and one.eligibility is not Eligibility.NOT_ELIGIBLE for one in assessed
    ):
        sentences += _bonding_after(request, book)
    if request.reason is Reason.BONDING_BIRTH and Law.CFRA in open_laws:
        text = "Pregnancy disability leave taken before does not use up CFRA leave for bonding."
        sentences.append(Together((Law.CFRA,), text, book.provisions["together.pdl_cfra"]))
    return tuple(sentences)


def _pregnancy(
    laws: tuple[Law, ...], may: str, book: RuleBook, leave: Sequence[LawLeave]
) -> Together:
    rule = book.provisions["together.pdl_fmla"]
    if Law.FMLA in laws:
        most = f"{book.weeks('fmla.amount'):.0f} weeks"
        text = (
            f"Pregnancy disability leave and FMLA {may} at the same time{_from(laws, leave)}, FMLA "
            f"for up to {most}; CFRA is not used up."
        )
        return Together((Law.PDL, Law.FMLA), text, rule)
    text = (
        f"Pregnancy disability leave {may}{'s' if may == 'run' else ''} alone; CFRA is not used up."
    )
    return Together((Law.PDL,), text, book.provisions["together.pdl_cfra"])


def _others(laws: tuple[Law, ...], may: str, book: RuleBook, leave: Sequence[LawLeave]) -> Together:
    rule = book.provisions["together.fmla_cfra"]
    if len(laws) > 1:
        text = f"FMLA and CFRA {may} at the same time{_from(laws, leave)}, and the leave uses up "
        return Together(laws, f"{text}both.", rule)
    law = next(iter(laws))
    other = LAWS[Law.CFRA if law is Law.FMLA else Law.FMLA]
    runs = "runs" if may == "run" else may
    return Together(laws, f"Only {LAWS[law]} {runs}; {other} leave is not used up by it.", rule)


def _from(laws: tuple[Law, ...], leave: Sequence[LawLeave]) -> str:
    """From when on, where one of the laws is met only during the leave."""
    days = [one.since for one in leave if one.law in laws and one.since]
    return f" from {day(max(days))} on" if days else ""


def _exhausted(one: LawLeave, book: RuleBook) -> Together:
    """Leave that is used up cannot be counted, and the employer says so (825.300(d)(1))."""
    text = (
        f"{LAWS[one.law]} does not run: its leave is used up on that day, so this leave cannot be "
        "counted under it."
    )
    if one.law is Law.FMLA:
        text += " The employer has to say so in the designation notice."
        return Together((), text, book.provisions["designation.fmla"])
    return Together((), text, one.provision)


def _bonding_after(request: LeaveRequest, book: RuleBook) -> list[Together]:
    """Bonding once the pregnancy disability leave is over, as far as it can be told today."""
    start = request.ends_on + DAY if request.ends_on else None
    if start and request.child_arrives_on:
        start = max(start, request.child_arrives_on)
    later = request.model_copy(
        update={"reason": Reason.BONDING_BIRTH, "starts_on": start, "ends_on": None}
    )
    assessed = assess(later)
    cfra = next(one for one in assessed if one.law is Law.CFRA)
    rule = book.provisions["together.pdl_cfra"]
    return [Together((Law.CFRA,), _bonding_words(later, cfra, book), rule)]


def _bonding_words(later: LeaveRequest, cfra: LawAssessment, book: RuleBook) -> str:
    most = book.weeks("cfra.amount")
    weeks = f"up to {most:.0f} weeks for bonding under CFRA"
    match cfra.eligibility:
        case Eligibility.APPEARS_ELIGIBLE | Eligibility.APPEARS_LATER:
            [left] = [one for one in leave_under(later, [cfra], book) if one.law is Law.CFRA]
            if left.is_exhausted:
                return (
                    "After the pregnancy disability leave no CFRA leave is left for bonding: its "
                    f"{counted(most, 'week')} are used up on that day."
                )
            if left.left_weeks is None:
                return (
                    "After the pregnancy disability leave the employee appears eligible for "
                    f"bonding under CFRA; how much of {counted(most, 'week')} is left cannot be "
                    f"determined yet: {join_words([FIELDS[name] for name in left.missing])}."
                )
            weeks = f"up to {counted(left.left_weeks, 'week')} for bonding under CFRA"
            return (
                f"After the pregnancy disability leave the employee appears eligible for {weeks}."
            )
        case Eligibility.UNDETERMINED:
            what = join_words([FIELDS[name] for name in cfra.missing])
            return f"After it, {weeks} may follow; that cannot be determined yet: {what}."
        case Eligibility.NOT_ELIGIBLE:
            why = join_words(
                [lower_first(one.rule.title) for one in cfra.with_result(Result.NOT_MET)]
            )
            return f"After it, the employee does not appear eligible for {weeks}: {why}."
