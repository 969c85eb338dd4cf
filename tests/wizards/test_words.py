"""A step in words: numbers as people write them, and nothing said twice."""

from __future__ import annotations

from whence.wizards.definition import StepKind
from whence.wizards.fields import format_value
from whence.wizards.payload import FieldShown, StepShown, StepUi, Warned, WizardProgress
from whence.wizards.status import RunStatus
from whence.wizards.words import step_as_text

HOURS = FieldShown(name="hours", label="Hours", widget="number", unit="hours", required=False)


def test_a_whole_number_is_told_without_decimals() -> None:
    assert format_value(HOURS, 40.0) == "40 hours"
    assert format_value(HOURS, 37.5) == "37.5 hours"


def test_a_note_is_told_once_and_not_where_the_outcome_says_it() -> None:
    late, odd = "Notice came late.", "The day is odd."
    warned = [
        Warned(step_id=step, field=None, code="odd", message=message)
        for step, message in (("notice", late), ("review", late), ("dates", odd))
    ]
    ui = StepUi(title="Request", warnings=warned)
    for kind, why, notes in (
        (StepKind.REVIEW, "", [f"Note: {late}", f"Note: {odd}"]),
        (StepKind.OUTCOME, f"It appears so. {late}", [f"Note: {odd}"]),
    ):
        step = StepShown(id="s", kind=kind, title="Title", why=why)
        progress = WizardProgress(status=RunStatus.OPEN, step=1, of=1)
        text = step_as_text(step, ui, {}, [], progress, [], [])
        assert [line for line in text.splitlines() if line.startswith("Note: ")] == notes
