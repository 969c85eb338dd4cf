"""Reasons that other laws decide: which law that is, and whom to ask.

The laws are pointers, as in the chat: what they give was not read, and is not told here.
"""

from __future__ import annotations

from dataclasses import dataclass

from whence.packs.leave.choices import OtherReason
from whence.packs.leave.records import LeaveRequest, Reason

CIVIL_RIGHTS = "California's Civil Rights Department (calcivilrights.ca.gov)"
LABOR = "California's Labor Commissioner (dir.ca.gov/dlse)"


@dataclass(frozen=True)
class OtherLaw:
    """Where a reason belongs, and what of it the laws here may give all the same."""

    title: str
    law: str
    ask: str
    also: str = ""

    @property
    def text(self) -> str:
        """`Bereavement leave is under Gov. Code 12945.7, which these rules do not cover. ...`"""
        first = f"{self.title} is under {self.law}, which these rules do not cover."
        return " ".join(filter(None, [first, f"Ask {self.ask}.", self.also]))


OTHER_LAWS = {
    OtherReason.ORGAN_DONATION: OtherLaw(
        "Leave of an organ or bone marrow donor",
        "Labor Code 1508-1513 in California",
        LABOR,
        "Surgery with a stay in hospital may also be the employee's own serious health condition "
        "(29 CFR 825.113-825.114): check the request with that reason too.",
    ),
    OtherReason.BEREAVEMENT: OtherLaw(
        "Bereavement leave", "Gov. Code 12945.7 in California", CIVIL_RIGHTS
    ),
    OtherReason.REPRODUCTIVE_LOSS: OtherLaw(
        "Leave after a reproductive loss",
        "Gov. Code 12945.6 in California",
        CIVIL_RIGHTS,
        "While a loss of pregnancy disables the employee, that may be disability because of "
        "pregnancy (2 CCR 11035(f)): check the request with that reason too.",
    ),
    OtherReason.VIOLENCE_OR_COURT: OtherLaw(
        "Time off for victims of violence, jury duty and subpoenas",
        "Gov. Code 12945.8 in California",
        CIVIL_RIGHTS,
        "Treatment of a serious health condition is a reason here: check the request with it too.",
    ),
    OtherReason.SCHOOL: OtherLaw(
        "Time off for a child's school or child care", "Labor Code 230.8 in California", LABOR
    ),
    OtherReason.OWN_MILITARY_SERVICE: OtherLaw(
        "Leave for the employee's own military service",
        "the Uniformed Services Employment and Reemployment Rights Act (38 U.S.C. 4301-4335)",
        "the Veterans' Employment and Training Service (dol.gov/vets)",
    ),
    OtherReason.SHORT_ILLNESS: OtherLaw(
        "Sick leave",
        "Labor Code 245-249 in California",
        LABOR,
        "An illness of more than three days with treatment, or a chronic one, may be a serious "
        "health condition (29 CFR 825.113-825.115): check the request with that reason too.",
    ),
}


def other_law(request: LeaveRequest) -> OtherLaw | None:
    """The law that the reason belongs to; None for a reason of these laws, or for none named."""
    if request.reason is not Reason.OTHER or request.other_reason is None:
        return None
    return OTHER_LAWS.get(request.other_reason)
