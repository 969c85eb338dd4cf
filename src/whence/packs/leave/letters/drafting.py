"""The three notices of 29 CFR 825.300 as drafts: what is known is filled in, the rest is blank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from whence.packs.leave.eligibility.assessing import ELIGIBLE, Eligibility, LawAssessment
from whence.packs.leave.eligibility.entitlement import LawLeave
from whence.packs.leave.eligibility.judging import Result
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import (
    LAWS,
    METHODS,
    REASONS,
    counted,
    day,
    join_words,
)
from whence.packs.leave.records import BONDING, Certification, Law, LeaveRequest
from whence.sdk.values import Wire

BLANK = "__________"
CHOICE = "[ ]"
DRAFT = (
    "Draft, filled from the facts as they were stated; blanks are facts that are not known. Not "
    "legal advice. Check it before it is sent."
)


class Letter(Wire):
    """A draft of a notice, as Markdown."""

    name: str
    title: str
    section: str
    text: str
    blanks: int
    """How many blanks have to be filled in."""


def letters(assessment: Overview) -> list[Letter]:
    """The notices that this request calls for: eligibility always; rights and responsibilities,
    and designation, where some law may give the leave."""
    drafts = [_letter("eligibility", assessment, _eligibility)]
    if assessment.laws:
        drafts.append(_letter("rights", assessment, _rights))
        drafts.append(_letter("designation", assessment, _designation))
    return drafts


TITLES = {
    "eligibility": ("Notice of eligibility", "29 CFR 825.300(b); 2 CCR 11091(a)"),
    "rights": ("Notice of rights and responsibilities", "29 CFR 825.300(c)"),
    "designation": ("Designation notice", "29 CFR 825.300(d); 2 CCR 11091(a)"),
}
Body = Callable[[Overview], Sequence[str]]


def _letter(name: str, assessment: Overview, body: Body) -> Letter:
    request = assessment.request
    title, section = TITLES[name]
    asked_on = _day(request.notice_given_on)
    reason = REASONS[request.reason] if request.reason else BLANK
    period = f"from {_day(request.starts_on)} to {_day(request.ends_on)}"
    text = "\n\n".join(
        (
            f"# {title}",
            f"*{DRAFT}*",
            f"To: {BLANK} (employee)  \nFrom: {BLANK} (employer)  \nDate: {BLANK}",
            f"On {asked_on} you told us that you need leave {period} for {reason}.",
            *body(assessment),
            f"Questions: {BLANK} (name, telephone)  \nSection: {section}",
        )
    )
    return Letter(name=name, title=title, section=section, text=text, blanks=text.count(BLANK))


def _eligibility(assessment: Overview) -> list[str]:
    return [
        *(_standing(one) for one in assessment.relevant_laws),
        "This notice does not yet say whether the leave is counted under these laws.",
    ]


def _standing(law: LawAssessment) -> str:
    name = LAWS[law.law]
    match law.eligibility:
        case Eligibility.APPEARS_ELIGIBLE:
            return f"**{name}:** you are eligible, as far as the facts that we have show."
        case Eligibility.APPEARS_LATER:
            more = [one.rule.at_later for one in law.with_result(Result.MET_LATER)]
            text = (
                f"**{name}:** you are not eligible on the first day of the leave. From "
                f"{_day(law.since)} on you are, as far as the facts that we have show."
            )
            return " ".join([text, *filter(None, more)])
        case Eligibility.UNDETERMINED:
            return f"**{name}:** we cannot say yet. Still needed: {law.missing_words}: {BLANK}."
        case Eligibility.NOT_ELIGIBLE:
            reasons = "\n".join(
                f"- {one.rule.title}: needed is {one.rule.needed}; we have: {one.actual} "
                f"({one.rule.section})."
                for one in law.with_result(Result.NOT_MET)
            )
            return f"**{name}:** you are not eligible, because:\n\n{reasons}"


def _rights(assessment: Overview) -> list[str]:
    request = assessment.request
    leave = next(iter(assessment.leave), None)
    method = METHODS[request.year_method] if request.year_method else BLANK
    kinds = join_words([LAWS[law] for law in assessment.laws])
    return [
        f"If the leave qualifies, it may be counted under {kinds}.",
        f"The 12-month period is counted as: {method}. {_left(leave)}",
        _certification(request),
        (
            "Paid leave: you may choose to use accrued paid leave, on the terms of our policy: "
            f"{BLANK}. If you do not meet them, you still have the unpaid leave. We require it: "
            f"{CHOICE} yes {CHOICE} no, which kind: {BLANK}. Vacation "
            "cannot be required during pregnancy disability leave (2 CCR 11044(b)(2))."
        ),
        (
            f"Health cover goes on as before. Your share of the premium is {BLANK}, due on "
            f"{BLANK}, paid to {BLANK}. If a payment is more than 30 days late, cover may end "
            "after a written notice at least 15 days before (29 CFR 825.212). You may have to "
            "repay our share of premiums for unpaid leave if you do not return, unless a serious "
            "health condition or something beyond your control keeps you (29 CFR 825.213)."
        ),
        (
            f"Key employee under the FMLA (29 CFR 825.217): {CHOICE} yes {CHOICE} no. A key "
            "employee may be refused the return, though not the leave, where the return would do "
            "us substantial and grievous economic injury (29 CFR 825.218)."
        ),
        "You keep your benefits, and the right to return to the same or an equivalent position.",
    ]


def _left(leave: LawLeave | None) -> str:
    if leave is None or leave.left_weeks is None:
        return f"Leave that is left: {BLANK}."
    return f"Leave that is left: {counted(leave.left_weeks, 'week')} under {LAWS[leave.law]}."


def _certification(request: LeaveRequest) -> str:
    if request.reason in BONDING:
        return (
            f"Documentation of the family relationship is needed: {CHOICE} yes {CHOICE} no. No "
            "medical certification is needed."
        )
    if request.certification is Certification.NOT_ASKED:
        return "A certification is not needed."
    asked_on = request.certification_asked_on
    due = BLANK if asked_on is None else f"15 calendar days after {day(asked_on)}"
    return (
        f"A certification is needed: {CHOICE} yes {CHOICE} no. It is due: {due}. Without it we may "
        "deny the leave until it is given (29 CFR 825.313)."
    )


def _designation(assessment: Overview) -> list[str]:
    request = assessment.request
    lines = [_designated(one, assessment) for one in assessment.leave]
    if request.certification is Certification.INCOMPLETE:
        lines.append(
            f"Your certification is incomplete. What is missing: {BLANK}. Please give it within "
            "seven calendar days (29 CFR 825.305(c))."
        )
    return [
        *lines,
        f"Paid leave is used at the same time: {CHOICE} yes {CHOICE} no, which kind: {BLANK}.",
        (
            f"A fitness-for-duty certification is needed to return: {CHOICE} yes {CHOICE} no. The "
            f"essential functions of the job are attached: {CHOICE} yes {CHOICE} no."
        ),
    ]


def _designated(leave: LawLeave, assessment: Overview) -> str:
    name, law = LAWS[leave.law], assessment.under(leave.law)
    if leave.is_exhausted:
        return (
            f"**{name}:** the leave is not counted under this law, because its leave is used up "
            "in the 12-month period."
        )
    if law.eligibility not in ELIGIBLE:
        return f"**{name}:** {CHOICE} counted {CHOICE} not counted, because: {BLANK}."
    until = f"up to {day(leave.covered_until)}" if leave.covered_until else f"up to {BLANK}"
    first = f"from {day(leave.since)} " if leave.since else ""
    why = " For pregnancy disability this counts 12 weeks at most." * (
        leave.law is Law.FMLA and Law.PDL in assessment.laws
    )
    weeks = assessment.asked_weeks if leave.covers_all and leave.since is None else None
    amount = BLANK if weeks is None else counted(weeks, "week")
    return f"**{name}:** the leave is counted under this law {first}{until}: {amount}.{why}"


def _day(value: date | None) -> str:
    return day(value) if value else BLANK
