"""What the designation notice says: how much is counted under which law, and what is needed."""

from __future__ import annotations

from whence.packs.leave.eligibility.assessing import ELIGIBLE
from whence.packs.leave.eligibility.entitlement import LawLeave
from whence.packs.leave.eligibility.overview import Overview
from whence.packs.leave.eligibility.words import LAWS, counted, day
from whence.packs.leave.records import Certification, Law

from .paragraphs import BLANK, CHOICE, OWN_CONDITION, YES_NO, Paragraph


def designation(assessment: Overview) -> list[Paragraph]:
    """The paragraphs, of the laws that may give the leave only."""
    request = assessment.request
    paragraphs = [_designated(one, assessment) for one in assessment.leave]
    if request.certification is Certification.INCOMPLETE:
        paragraphs.append(_incomplete(assessment))
    paragraphs.append(
        Paragraph(f"Paid leave is used at the same time: {YES_NO}, which kind: {BLANK}.")
    )
    if request.reason is None or request.reason in OWN_CONDITION:
        paragraphs.append(_fitness(assessment))
    return paragraphs


def _incomplete(assessment: Overview) -> Paragraph:
    start = f"Your certification is incomplete. What is missing: {BLANK}. Please give it "
    if Law.FMLA in assessment.laws:
        return Paragraph(f"{start}within seven calendar days (29 CFR 825.305(c)).", ("cure.fmla",))
    return Paragraph(f"{start}by {BLANK}.")


def _fitness(assessment: Overview) -> Paragraph:
    text = f"A fitness-for-duty certification is needed to return: {YES_NO}."
    if Law.FMLA in assessment.laws:
        text += f" The essential functions of the job are attached: {YES_NO}."
    return Paragraph(text, tuple(f"fitness.{law.value}" for law in assessment.laws))


def _designated(leave: LawLeave, assessment: Overview) -> Paragraph:
    name, law = LAWS[leave.law], assessment.under(leave.law)
    if leave.is_exhausted:
        return Paragraph(
            f"**{name}:** the leave is not counted under this law, because its leave is used up"
            f"{'' if leave.law is Law.PDL else ' in the 12-month period'}."
        )
    if law.eligibility not in ELIGIBLE:
        return Paragraph(f"**{name}:** {CHOICE} counted {CHOICE} not counted, because: {BLANK}.")
    until = f"up to {day(leave.covered_until)}" if leave.covered_until else f"up to {BLANK}"
    first = f"from {day(leave.since)} " if leave.since else ""
    why = " For pregnancy disability this counts 12 weeks at most." * (
        leave.law is Law.FMLA and Law.PDL in assessment.laws
    )
    weeks = assessment.asked_weeks if leave.covers_all and leave.since is None else None
    amount = BLANK if weeks is None else counted(weeks, "week")
    return Paragraph(
        f"**{name}:** the leave is counted under this law {first}{until}: {amount}.{why}"
    )
