"""What to bear in mind beside the rules: what spouses may have to share, how days were counted."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.records import BONDING, Law, LeaveRequest, Pattern

from .aggregate import aggregate_remark
from .book import RuleBook
from .entitlement import LawLeave
from .holidays import holidays_between
from .remark import Remark
from .special_notes import special_remarks
from .spouses import Sharing
from .words import day, join_words
from .workweek import workweek_of

MAX_NAMED = 3
"""Holidays that are named; more are counted."""


def remarks(
    request: LeaveRequest,
    leaves: Sequence[LawLeave],
    laws: Sequence[Law],
    book: RuleBook,
    shared: Sharing | None,
) -> tuple[Remark, ...]:
    """What matters for this request beside eligibility, amounts and dates."""
    all_remarks = (
        *_spouses(request, laws, book, shared),
        aggregate_remark(request, leaves, book),
        _holidays(request, laws, book),
        _closed(request, laws, book),
        _job_ends(request, laws, book),
        *special_remarks(request, laws, book),
    )
    return tuple(one for one in all_remarks if one is not None)


def _spouses(
    request: LeaveRequest, laws: Sequence[Law], book: RuleBook, shared: Sharing | None
) -> list[Remark]:
    if shared is None or shared.text is None:
        return []
    spouse_remarks = [Remark(shared.text, shared.provision)]
    if request.reason in BONDING and Law.CFRA in laws:
        text = "Under CFRA each parent has the whole leave for bonding, whatever the other takes."
        spouse_remarks.append(Remark(text, book.provisions["spouses.cfra"]))
    return spouse_remarks


def _holidays(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Remark | None:
    """Holidays within the leave, where it is not clear that they are in a full week of it."""
    if request.starts_on is None or request.ends_on is None or not laws:
        return None
    in_california = request.works_in_california is not False
    within = holidays_between(request.starts_on, request.ends_on, california=in_california)
    if not within:
        return None
    names = list(dict.fromkeys(name for _, name in within))
    more = [f"{len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    if request.works_holidays is False:
        text = f"Within the leave: {join_words([*names[:MAX_NAMED], *more])}. "
        text += "In a part of a week a public holiday that was not to be worked was not counted."
        return Remark(text, book.provisions["fmla.holidays"])
    parts = request.pattern in (Pattern.INTERMITTENT, Pattern.REDUCED)
    how = (
        "counts as leave only if the employee was to work on it"
        if parts
        else "was counted as leave, as in a full week of leave it is; in a part of a week it "
        "counts only if the employee was to work on it"
    )
    text = f"Within the leave: {join_words([*names[:MAX_NAMED], *more])}. A public holiday {how}."
    return Remark(text, book.provisions["fmla.holidays"])


def _closed(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Remark | None:
    """Days on which the business is closed, and whether they were left out of the leave."""
    first, last = request.closed_from, request.closed_until
    if first is None or not laws:
        return None
    provision = book.provisions["fmla.holidays"]
    if last is None:
        text = "The last day on which the business is closed is not known, so all days counted."
        return Remark(text, provision)
    if first in workweek_of(request).not_counted:
        text = f"The business is closed from {day(first)} to {day(last)}: these days do not count."
        return Remark(text, provision)
    text = (
        f"The business is closed from {day(first)} to {day(last)}, which is less than a week: "
        "these days count as leave."
    )
    return Remark(text, provision)


def _job_ends(request: LeaveRequest, laws: Sequence[Law], book: RuleBook) -> Remark | None:
    """A job that would have ended anyway: with it leave, health cover and the return end."""
    ends, last = request.job_ends_on, request.ends_on
    if ends is None or not laws or (last is not None and last < ends):
        return None
    provision = book.provisions["return.layoff"]
    return Remark(f"The job ends on {day(ends)} without the leave too. {provision.text}", provision)
