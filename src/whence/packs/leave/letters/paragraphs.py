"""Parts of a draft: a paragraph with the provisions it follows from, blanks and boxes to tick."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from whence.packs.leave.eligibility.words import day
from whence.packs.leave.records import Reason

BLANK = "__________"
CHOICE = "[ ]"
YES_NO = f"{CHOICE} yes {CHOICE} no"

OWN_CONDITION = (Reason.OWN_HEALTH, Reason.PREGNANCY_DISABILITY)
"""Reasons that concern whether the employee is fit for the job."""


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a draft."""

    text: str
    provisions: tuple[str, ...] = ()
    """Ids of the provisions that it follows from."""


def written_day(value: date | None) -> str:
    """A day in words, or a blank."""
    return day(value) if value else BLANK
