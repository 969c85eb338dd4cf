"""A step as plain text: for a terminal, for plain chat, and for clients that cannot draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whence.wizards.definition import RuleRow, StepKind
from whence.wizards.fields import in_words
from whence.wizards.payload import FieldShown, Progress, StepShown, StepUi, SummaryLine
from whence.wizards.reading import AnswerError
from whence.wizards.status import RunStatus

_RESULTS = {"met": "met", "not_met": "not met", "unknown": "not known"}


def in_text(
    step: StepShown,
    ui: StepUi,
    values: Mapping[str, Any],
    errors: Sequence[AnswerError],
    progress: Progress,
    summary: Sequence[SummaryLine],
    derived: Sequence[RuleRow],
) -> str:
    """The whole step in words, a line for each thing."""
    place = f" ({progress.step} of {progress.of})" if step.kind is StepKind.QUESTION else ""
    lines = [f"{ui.title}{place}"]
    if progress.reason and step.why != progress.reason:
        lines.append(progress.reason)
    lines += [step.title, step.why]
    lines += [f"! {error.message}" for error in errors]
    lines += [_asked(field, values) for field in ui.fields]
    if step.kind is not StepKind.QUESTION:
        lines += [f"{line.label}: {line.shown}" for line in summary]
    lines += [rule_in_text(row) for row in derived]
    lines += [f"Note: {warning.message}" for warning in ui.warnings]
    if step.kind is StepKind.REVIEW and progress.status is RunStatus.OPEN:
        lines.append("Check these answers; each can be changed.")
    return "\n".join(line for line in lines if line)


def rule_in_text(row: RuleRow) -> str:
    """A rule held against the facts, in a line."""
    result = _RESULTS[row.result]
    return f"{row.law}, {row.rule}: {result} (needed: {row.needed}; is: {row.actual}; {row.source})"


def _asked(field: FieldShown, values: Mapping[str, Any]) -> str:
    words = field.label if field.required else f"{field.label} (may be left out)"
    if field.unit:
        words += f" [{field.unit}]"
    if field.choices:
        words += ": " + ", ".join(choice.label for choice in field.choices)
    if field.name in values:
        words += f" — so far: {in_words(field, values[field.name])}"
    return f"{words}. {field.help}".strip() if field.help else words
