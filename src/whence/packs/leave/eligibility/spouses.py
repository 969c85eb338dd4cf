"""Spouses who work for the same employer: 12 or 26 weeks of FMLA leave together, for some reasons.

The employer may limit them and need not (29 CFR 825.120(a)(3), 825.121(a)(3), 825.127(f) and
825.201(b)), so each keeps weeks of their own, and what is left of those of both is told beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from whence.packs.leave.records import BONDING, Law, LeaveRequest, Reason, Relation

from .book import Provision, RuleBook
from .entitlement import ROUNDING, LawLeave
from .words import counted


class SharedLimit(StrEnum):
    """Whether spouses may be limited to a number of weeks together."""

    NOT_LIMITED = "not_limited"
    MAY_BE_LIMITED = "may_be_limited"
    UNDETERMINED = "cannot_be_told"


@dataclass(frozen=True)
class Sharing:
    """What spouses of one employer may be limited to, for leave of such a reason."""

    limit: SharedLimit
    provision: Provision
    weeks: float
    """Together, in the 12-month period."""
    left_weeks: float | None
    """For this employee and such leave if the employer limits both; None where not known."""
    covers_all: bool | None
    """Whether these weeks are enough for the leave that is asked for."""
    text: str | None
    missing: tuple[str, ...]
    """Fields that would settle it."""


def is_shared(request: LeaveRequest) -> bool:
    """Whether leave of this reason counts toward what spouses may have together."""
    is_parent = request.reason is Reason.FAMILY_CARE and request.relation is Relation.PARENT
    return is_parent or request.reason in (*BONDING, Reason.MILITARY_CAREGIVER)


def sharing(
    request: LeaveRequest,
    leaves: Sequence[LawLeave],
    asked_weeks: float | None,
    book: RuleBook,
) -> Sharing | None:
    """What the shared limit is for a request; None where it does not matter."""
    own = next((one for one in leaves if one.law is Law.FMLA), None)
    if own is None or not is_shared(request):
        return None
    is_caregiver = request.reason is Reason.MILITARY_CAREGIVER
    provision = book.provisions["spouses.caregiver" if is_caregiver else "spouses.fmla"]
    limit = _limit(request)
    weeks_left = None
    if request.weeks_of_both is not None and own.left_weeks is not None:
        weeks_left = min(own.left_weeks, max(0.0, own.weeks - request.weeks_of_both))
    covers = (
        None if weeks_left is None or asked_weeks is None else asked_weeks <= weeks_left + ROUNDING
    )
    return Sharing(
        limit=limit,
        provision=provision,
        weeks=own.weeks,
        left_weeks=weeks_left,
        covers_all=covers,
        text=_text(request, limit, own.weeks, weeks_left, asked_weeks),
        missing=_missing(request, limit),
    )


def _limit(request: LeaveRequest) -> SharedLimit:
    if request.spouse_same_employer is False or request.spouse_eligible is False:
        return SharedLimit.NOT_LIMITED
    if request.spouse_same_employer and request.spouse_eligible:
        return SharedLimit.MAY_BE_LIMITED
    return SharedLimit.UNDETERMINED


def _missing(request: LeaveRequest, limit: SharedLimit) -> tuple[str, ...]:
    if limit is SharedLimit.NOT_LIMITED:
        return ()
    if request.spouse_same_employer is None:
        return ("spouse_same_employer",)
    fields = ("spouse_eligible", "weeks_of_both")
    return tuple(name for name in fields if getattr(request, name) is None)


def _text(
    request: LeaveRequest,
    limit: SharedLimit,
    weeks: float,
    weeks_left: float | None,
    weeks_requested: float | None,
) -> str | None:
    together = f"limit both to {counted(weeks, 'week')} of FMLA leave together for such reasons"
    if limit is SharedLimit.NOT_LIMITED:
        if not request.spouse_same_employer:
            return None
        return (
            "The spouse works for the same employer and is not eligible for FMLA leave, so the two "
            f"need not share: the employee has the whole {counted(weeks, 'week')}."
        )
    if request.spouse_same_employer is None:
        return (
            "It is not known whether the employee's spouse works for the same employer. If so, and "
            f"the spouse is eligible too, the employer may {together}."
        )
    if request.spouse_eligible is None:
        begins = (
            "The spouse works for the same employer; whether the spouse is eligible for FMLA leave "
            f"is not known. If so, the employer may {together}."
        )
    else:
        begins = (
            "The spouse works for the same employer and is eligible too: the employer may "
            f"{together}."
        )
    return " ".join([begins, *_remaining_words(request, weeks_left, weeks_requested)])


def _remaining_words(
    request: LeaveRequest, weeks_left: float | None, weeks_requested: float | None
) -> list[str]:
    if weeks_left is None or request.weeks_of_both is None:
        return []
    weeks_taken = counted(request.weeks_of_both, "week")
    words = [
        (
            f"Both have taken {weeks_taken} of it, which leaves {counted(weeks_left, 'week')} for "
            "this leave."
        )
    ]
    if weeks_requested is not None and weeks_requested > weeks_left + ROUNDING:
        words.append(f"The leave asks for {counted(weeks_requested, 'week')}.")
    if request.reason is not Reason.MILITARY_CAREGIVER:
        words.append("For other reasons the employee keeps what is left of their own.")
    return words
