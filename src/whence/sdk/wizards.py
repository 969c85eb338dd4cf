"""Wizards: guided forms whose path follows from the answers."""

from whence.wizards.answers import Answers
from whence.wizards.definition import (
    Background,
    Hint,
    KnownValue,
    Notice,
    RuleRow,
    Step,
    StepKind,
    Wizard,
    WizardOutcome,
)
from whence.wizards.outcome import (
    Alternative,
    Calendar,
    CalendarMark,
    CalendarRow,
    CalendarSpan,
)

__all__ = [
    "Alternative",
    "Answers",
    "Background",
    "Calendar",
    "CalendarMark",
    "CalendarRow",
    "CalendarSpan",
    "Hint",
    "KnownValue",
    "Notice",
    "RuleRow",
    "Step",
    "StepKind",
    "Wizard",
    "WizardOutcome",
]
