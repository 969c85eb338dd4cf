"""Everything the rules say about a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from whence.packs.leave.records import BONDING, Law, LeaveRequest, Pattern, Reason

from .assessing import Eligibility, LawAssessment, assess
from .book import WEAK, Dated
from .deadlines import Deadline, deadlines, delay_until, is_late
from .editions import book_for, editions
from .entitlement import LawLeave, leave_under, requested_weeks
from .facts import bonding_ends
from .headline import headline
from .judging import Result, RuleResult
from .limits import agencies, not_checked
from .notes import remarks
from .other_laws import other_law
from .remark import Remark
from .spouses import Sharing, sharing
from .together import Together, together
from .words import day, number


def relevant(assessed: Sequence[LawAssessment]) -> tuple[LawAssessment, ...]:
    """The laws to mention: pregnancy disability leave only if the reason may be pregnancy."""
    about = [one for law in assessed for one in law.results if one.rule.id == "pdl.reason"]
    is_other = any(one.result is Result.NOT_MET for one in about)
    return tuple(one for one in assessed if one.law is not Law.PDL or not is_other)


@dataclass(frozen=True)
class Overview:
    """What the rules say about a request."""

    request: LeaveRequest
    assessed: tuple[LawAssessment, ...]
    leave: tuple[LawLeave, ...]
    asked_weeks: float | None
    together: tuple[Together, ...]
    deadlines: tuple[Deadline, ...]
    remarks: tuple[Remark, ...]
    """Points to note: where there are several ways to count, or the employer decides."""
    sharing: Sharing | None
    """The limit for spouses with the same employer; None if it does not matter."""
    warnings: tuple[str, ...]
    not_checked: tuple[str, ...]
    """What was taken as usual because nobody stated it, and would change the result."""
    agencies: tuple[str, ...]
    """Whom to ask."""

    @property
    def headline(self) -> str:
        """The result in one line, which says no more than the amounts do."""
        return headline(self.assessed, self.leave, other_law(self.request))

    @property
    def unread(self) -> tuple[Dated, ...]:
        """The rules behind the result whose own text was not read when they were checked; for a
        law that does not give the leave, only the rules that are not met."""
        rests_on: list[Dated] = [
            one.rule
            for law in self.assessed
            for one in law.results
            if law.law in self.laws or one.result is Result.NOT_MET
        ]
        rests_on += [one.provision for one in (*self.leave, *self.together, *self.deadlines)]
        rests_on += [one.provision for one in self.remarks]
        weak = {one.id: one for one in rests_on if one.basis in WEAK}
        return tuple(weak.values())

    @property
    def laws(self) -> tuple[Law, ...]:
        """The laws under which the employee is, or may be, eligible as far as it appears."""
        return tuple(x.law for x in self.assessed if x.eligibility is not Eligibility.NOT_ELIGIBLE)

    @property
    def missing(self) -> tuple[str, ...]:
        """Fields that would settle something, those of eligibility first."""
        names = [name for one in self.assessed for name in one.missing]
        names += [name for one in self.leave for name in one.missing]
        return tuple(dict.fromkeys([*names, *(self.sharing.missing if self.sharing else ())]))

    @property
    def relevant_laws(self) -> tuple[LawAssessment, ...]:
        """The laws to mention: pregnancy disability leave only if the reason may be pregnancy."""
        return relevant(self.assessed)

    def under(self, law: Law) -> LawAssessment:
        """One law's assessment."""
        return next(one for one in self.assessed if one.law is law)

    def leave_of(self, law: Law) -> LawLeave | None:
        """What one law gives, None where the employee does not appear eligible."""
        return next((one for one in self.leave if one.law is law), None)

    def not_met(self) -> list[RuleResult]:
        """All rules that are not met."""
        return [one for law in self.assessed for one in law.with_result(Result.NOT_MET)]


def overview(request: LeaveRequest, today: date | None = None) -> Overview:
    """Apply all rules to a request; with `today`, an answer that is overdue says so."""
    book = book_for(request)
    assessed = assess(request, book)
    laws = [one.law for one in assessed if one.eligibility is not Eligibility.NOT_ELIGIBLE]
    leave, weeks = leave_under(request, assessed, book), requested_weeks(request)
    shared = sharing(request, leave, weeks, book)
    return Overview(
        request=request,
        assessed=assessed,
        leave=leave,
        asked_weeks=weeks,
        together=together(request, assessed, leave, book),
        deadlines=deadlines(request, laws, book, today),
        remarks=remarks(request, leave, laws, book, shared),
        sharing=shared,
        warnings=tuple(warnings(request)),
        not_checked=not_checked(request, assessed),
        agencies=agencies(assessed),
    )


def warnings(request: LeaveRequest) -> list[str]:
    """Late or inconsistent facts in a request; they never block anything."""
    messages: list[str] = []
    near, whole = request.employees_within_75_miles, request.employees
    if is_late(request):
        until = delay_until(request)
        when = f", under the FMLA until {day(until)} at most" if until else ""
        messages.append(
            "Notice came less than 30 days before a leave that could be foreseen. The employer may "
            f"delay the leave for that{when}; the right to it remains."
        )
    if near is not None and whole is not None and near > whole:
        messages.append(
            f"{number(near)} employees near the worksite are more than the {number(whole)} that "
            "the employer has; one of the two is wrong."
        )
    oldest = editions().begins(Law.CFRA)
    if request.starts_on and request.starts_on < oldest:
        messages.append(
            f"The rules here begin with {day(oldest)} for CFRA; before that day other law applied."
        )
    if request.hired_on and request.starts_on and request.hired_on > request.starts_on:
        messages.append("The day of hire is after the first day of leave.")
    start, arrival = request.starts_on, request.child_arrives_on
    if request.reason is Reason.BONDING_BIRTH and start and arrival and start < arrival:
        messages.append(
            f"Bonding begins with the birth ({day(arrival)}); leave before it is pregnancy "
            "disability leave or FMLA leave for the pregnancy, where that is medically needed."
        )
    last = bonding_ends(request)
    if last and request.ends_on and request.ends_on > last:
        messages.append(
            f"The year from the birth or placement ends on {day(last)}; bonding beyond it is not "
            "covered."
        )
    if other := other_law(request):
        messages.append(other.text)
    if request.pattern in (Pattern.INTERMITTENT, Pattern.REDUCED) and request.reason in BONDING:
        messages.append(
            "Under the FMLA, bonding in parts needs the employer's agreement; under CFRA the parts "
            "are of at least two weeks, and shorter on two occasions."
        )
    if any(Law.PDL in one.laws and Law.CFRA in one.laws for one in request.earlier_leave):
        messages.append(
            "Pregnancy disability leave does not use up CFRA leave (2 CCR 11093), so it was not "
            "counted under CFRA here."
        )
    return messages
