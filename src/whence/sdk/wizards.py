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

__all__ = [
    "Answers",
    "Background",
    "Hint",
    "KnownValue",
    "Notice",
    "RuleRow",
    "Step",
    "StepKind",
    "Wizard",
    "WizardOutcome",
]
