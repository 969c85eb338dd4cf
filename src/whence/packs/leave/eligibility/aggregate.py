"""What CFRA and FMLA leave may be together, Gov. Code 12945.2(p).

Leave under one of them alone uses up only that one, except that the statute has 12 workweeks of
both together as the most.  FMLA leave for a reason that CFRA does not name may therefore cut CFRA
leave; how far is not settled here, so it is pointed out and not counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.leave.records import Law, LeaveRequest

from .book import RuleBook
from .entitlement import ROUNDING, LawLeave
from .periods import weeks_taken
from .remark import Remark
from .words import counted
from .workweek import workweek_of


def aggregate_remark(
    request: LeaveRequest, leaves: Sequence[LawLeave], book: RuleBook
) -> Remark | None:
    """That earlier FMLA leave may cut what is left of CFRA leave; None where it cannot."""
    cfra = next((one for one in leaves if one.law is Law.CFRA), None)
    if cfra is None or cfra.period is None or cfra.left_weeks is None:
        return None
    alone = _weeks_of_fmla_alone(request, cfra)
    left = max(0.0, cfra.left_weeks - alone)
    if alone <= ROUNDING or cfra.is_exhausted:
        return None
    provision = book.provisions["cfra.aggregate"]
    text = (
        f"{counted(alone, 'week')} of earlier leave counted under the FMLA and not under CFRA. "
        f"By the statute leave under both together is at most {counted(cfra.weeks, 'week')} in 12 "
        f"months, so of the {counted(cfra.left_weeks, 'week')} under CFRA perhaps only "
        f"{counted(left, 'week')} are left. How far that goes is not decided here: ask."
    )
    return Remark(text, provision)


def _weeks_of_fmla_alone(request: LeaveRequest, cfra: LawLeave) -> float:
    """Earlier FMLA leave in the period that was neither CFRA leave nor for a pregnancy."""
    assert cfra.period is not None
    alone = [one for one in request.earlier_leave if one.laws == [Law.FMLA]]
    workweek = workweek_of(request)
    taken = [weeks_taken(one, request.weekly_hours, workweek) for one in alone]
    return sum(one.weeks_in(cfra.period) for one in taken if one is not None)
