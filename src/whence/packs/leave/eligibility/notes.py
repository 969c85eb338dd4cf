"""What to bear in mind beside the rules: what is not asked, and how things were counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whence.packs.leave.records import BONDING, Law, LeaveRequest, Pattern, Reason, Relation

from .book import Provision, RuleBook
from .holidays import holidays_between
from .words import listed

MOST_NAMED = 3
"""Holidays that are named; more are counted."""


@dataclass(frozen=True)
class Remark:
    """A sentence to bear in mind, and the provision that it comes from."""

    text: str
    provision: Provision


def remarks(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> tuple[Remark, ...]:
    """What matters for this request, and was neither asked nor decided."""
    found = (_spouses(request, laws, book), _holidays(request, laws, book))
    return tuple(one for one in found if one is not None)


def _spouses(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Remark | None:
    shared = (
        request.reason in BONDING
        or request.reason is Reason.MILITARY_CAREGIVER
        or (request.reason is Reason.FAMILY_CARE and request.relation is Relation.PARENT)
    )
    if not shared or Law.FMLA not in laws:
        return None
    weeks = 26 if request.reason is Reason.MILITARY_CAREGIVER else 12
    text = (
        "It was not asked whether the employee's spouse works for the same employer: under the "
        f"FMLA the employer may then limit both to {weeks} weeks together for such leave, under "
        "CFRA each has their own."
    )
    return Remark(text, book.provisions["spouses.fmla"])


def _holidays(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Remark | None:
    """Holidays within the leave, where it is not clear that they are in a full week of it."""
    if request.starts_on is None or request.ends_on is None or not laws:
        return None
    in_california = request.works_in_california is not False
    within = holidays_between(request.starts_on, request.ends_on, california=in_california)
    if not within:
        return None
    names = list(dict.fromkeys(name for _, name in within))
    more = [f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else []
    parts = request.pattern in (Pattern.INTERMITTENT, Pattern.REDUCED)
    how = (
        "counts as leave only if the employee was to work on it"
        if parts
        else "was counted as leave, as in a full week of leave it is; in a part of a week it "
        "counts only if the employee was to work on it"
    )
    text = f"Within the leave: {listed([*names[:MOST_NAMED], *more])}. A public holiday {how}."
    return Remark(text, book.provisions["fmla.holidays"])
