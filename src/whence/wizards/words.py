"""A step as plain text, for terminals, plain chat and clients that cannot draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whence.wizards.definition import RuleRow, StepKind
from whence.wizards.fields import format_value
from whence.wizards.payload import FieldShown, StepShown, StepUi, SummaryLine, WizardProgress
from whence.wizards.reading import AnswerError
from whence.wizards.status import RunStatus

_FORMS = {"date": "as 2026-03-02", "yes_no": "yes or no", "checkboxes": "one or more"}
"""How to write a value, by the widget of its field."""
_RESULTS = {"met": "met", "not_met": "not met", "unknown": "not known"}


def step_as_text(
    step: StepShown,
    ui: StepUi,
    values: Mapping[str, Any],
    errors: Sequence[AnswerError],
    progress: WizardProgress,
    summary: Sequence[SummaryLine],
    derived: Sequence[RuleRow],
) -> str:
    """The whole step as text, line by line."""
    approximate = "about " if progress.may_change else ""
    position = f" ({progress.step} of {approximate}{progress.of})"
    lines = [f"{ui.title}{position if step.kind is StepKind.QUESTION else ''}"]
    if progress.reason and step.why != progress.reason:
        lines.append(progress.reason)
    lines += [step.title, step.why]
    labels = {field.name: field.label for field in ui.fields}
    lines += [
        f"! {labels.get(error.field or '', error.field or 'This step')}: {error.message}"
        for error in errors
    ]
    is_open = progress.status is RunStatus.OPEN
    if is_open:
        lines += [f"Known already: {one.label}: {one.shown} ({one.source})" for one in ui.known]
        refused = {error.field for error in errors}
        so_far = {
            name: value
            for name, value in values.items()
            if name not in refused and value is not None
        }
        lines += [line for field in ui.fields for line in _field_lines(field, so_far)]
    if step.kind is not StepKind.QUESTION or not is_open:
        lines += [f"{line.label}: {line.shown}" for line in summary]
    lines += [rule_as_text(row) for row in derived]
    notes = dict.fromkeys(warning.message for warning in ui.warnings)
    lines += [f"Note: {note}" for note in notes if note not in step.why]
    if step.kind is StepKind.REVIEW and is_open:
        lines.append("Check these answers; you can change each of them.")
    return "\n".join(line for line in lines if line)


def rule_as_text(row: RuleRow) -> str:
    """A rule applied to the facts, in one line."""
    result = _RESULTS[row.result]
    return f"{row.law}, {row.rule}: {result} (needed: {row.needed}; is: {row.actual}; {row.source})"


def _field_lines(field: FieldShown, values: Mapping[str, Any]) -> list[str]:
    """A field with its choices, numbered so that they can be answered in one line."""
    form = field.unit or _FORMS.get(field.widget, "")
    remarks = [form, "" if field.required else "optional"]
    details = ", ".join(remark for remark in remarks if remark)
    line = f"{field.label} ({details})" if details else field.label
    if field.name in values:
        line += f" — so far: {format_value(field, values[field.name])}"
    if field.help:
        line += f". {field.help}"
    return [line, *(f"  {at}  {choice.label}" for at, choice in enumerate(field.choices, 1))]
