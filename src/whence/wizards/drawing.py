"""Builds the payload that clients get for a run at one of its steps.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from whence.wizards.answers import Answers, NotAnswered
from whence.wizards.definition import RuleRow, Step, StepKind, WizardOutcome, wire_name
from whence.wizards.fields import fields_of, format_value, schema_of
from whence.wizards.path import Place, Start
from whence.wizards.payload import (
    DefinitionRef,
    FieldShown,
    KnownField,
    Nav,
    Provenance,
    RecordRef,
    SectionShown,
    StepPayload,
    StepShown,
    StepUi,
    SummaryLine,
    Warned,
    WizardProgress,
)
from whence.wizards.reading import AnswerError, as_errors, stored_form
from whence.wizards.status import RunStatus
from whence.wizards.words import step_as_text

YOU = "you"
_ENDED_TITLES = {RunStatus.COMPLETED: "This form is complete"}


@dataclass(frozen=True)
class RunHead:
    """The part of a payload that describes the run itself."""

    id: UUID
    definition: DefinitionRef
    revision: int
    status: RunStatus
    reason: str | None
    record: RecordRef | None


@dataclass(frozen=True)
class RefusedAnswer:
    """Values that were sent and refused, and why."""

    values: Mapping[str, Any]
    errors: Sequence[AnswerError]


def draw(
    head: RunHead, start: Start, place: Place, step: Step, refused: RefusedAnswer | None = None
) -> StepPayload:
    """The run at this step of its path; `refused`: show the values sent and their errors."""
    is_open = head.status is RunStatus.OPEN
    outcome = start.wizard.outcome(place.answers) if step.kind is StepKind.OUTCOME else None
    fields_to_ask, known = _fields(start, place, step, refused)
    values = dict(
        refused.values if refused else place.stored.get(step.id) or start.known_values(step)
    )
    back = place.before(step.id)
    answered = [
        s for s in place.path if s.kind is StepKind.QUESTION and s.id in place.answers.by_step
    ]
    errors = list(refused.errors) if refused else _old_problems(place, step)
    progress = _progress(head, start, place, step)
    summary = summary_of(start, place, answered, is_open=is_open)
    step_shown = _step_shown(step, outcome)
    ui = StepUi(
        title=start.wizard.title,
        fields=fields_to_ask,
        known=known,
        warnings=_warnings(place),
        record=head.record,
        follows=_follows(place, step) if step.kind is StepKind.QUESTION else [],
    )
    derived = list(outcome.rules) if outcome else _derived(place, step)
    label = step.submit_label if is_open and step.kind is not StepKind.OUTCOME else None
    return StepPayload(
        wizard_run_id=head.id,
        definition=head.definition,
        revision=head.revision,
        step=step_shown,
        schema=schema_of(step.model),
        ui=ui,
        values=dict(outcome.values) if outcome else values,
        provenance=_provenance(start, step, values),
        errors=errors,
        nav=Nav(
            back=back.id if back and is_open else None,
            change=[s.id for s in answered] if is_open else [],
            cancel=head.status not in (RunStatus.COMPLETED, RunStatus.CANCELLED),
        ),
        progress=progress,
        summary=summary,
        derived=derived,
        outcome=outcome.shown() if outcome else None,
        submit_label=label,
        text_fallback=step_as_text(step_shown, ui, values, errors, progress, summary, derived),
    )


def draw_withdrawn(head: RunHead, answers: Sequence[tuple[str, Mapping[str, Any]]]) -> StepPayload:
    """A run whose version no pack offers any more: its answers, by their stored names.

    The text of a completed run's outcome is gone with the definition; its record remains.
    """
    summary = [
        SummaryLine(
            step_id=step, field=name, label=name, value=value, shown=str(value), source=YOU,
            change=None,
        )
        for step, values in dict(answers).items()
        for name, value in values.items()
    ]  # fmt: skip
    step_shown = StepShown(
        id=RunStatus.WITHDRAWN.value,
        kind=StepKind.OUTCOME,
        title=_ENDED_TITLES.get(head.status, "This form has changed"),
        why=head.reason
        or f"Version {head.definition.version} of this form is no longer available.",
    )
    progress = WizardProgress(status=head.status, step=0, of=0, reason=head.reason)
    ui = StepUi(title=head.definition.id, record=head.record)
    is_open = head.status is RunStatus.WITHDRAWN
    return StepPayload(
        wizard_run_id=head.id,
        definition=head.definition,
        revision=head.revision,
        step=step_shown,
        schema=schema_of(Step(id="", title="").model),
        ui=ui,
        values={},
        provenance={},
        errors=[],
        nav=Nav(back=None, change=[], cancel=is_open),
        progress=progress,
        summary=summary,
        derived=[],
        submit_label=None,
        text_fallback=step_as_text(step_shown, ui, {}, [], progress, summary, []),
    )


def _fields(
    start: Start, place: Place, step: Step, refused: RefusedAnswer | None
) -> tuple[list[FieldShown], list[KnownField]]:
    """The fields to ask, and the known fields that are not asked.

    If a known value, or the whole step, was refused, every field is shown.
    """
    fields, prefilled = fields_of(step), start.prefilled(step, place.stored)
    if refused and any(error.field is None or error.field in prefilled for error in refused.errors):
        prefilled = {}
    sources = _provenance(start, step, prefilled)
    known = [
        KnownField(
            name=field.name,
            label=field.label,
            shown=format_value(field, prefilled[field.name]),
            source=sources[field.name].source,
        )
        for field in fields
        if field.name in prefilled
    ]
    return [field for field in fields if field.name not in prefilled], known


def _step_shown(step: Step, outcome: WizardOutcome | None) -> StepShown:
    title, why = (outcome.title, outcome.text) if outcome else (step.title, step.why)
    return StepShown(id=step.id, kind=step.kind, title=title, why=why)


def _old_problems(place: Place, step: Step) -> list[AnswerError]:
    return as_errors(step, place.problems) if step is place.current else []


def _provenance(start: Start, step: Step, values: Mapping[str, Any]) -> dict[str, Provenance]:
    """The source of each value; an unchanged known value keeps its source, whoever confirmed it."""
    known = {
        wire_name(step.model, item.field): item
        for item in start.known
        if item.step == step.id
    }  # fmt: skip
    return {
        name: Provenance(
            source=known[name].source if name in known and known[name].value == value else YOU
        )
        for name, value in values.items()
    }


def summary_of(
    start: Start, place: Place, answered: Sequence[Step], *, is_open: bool
) -> list[SummaryLine]:
    """The answers of these steps of the path in words, field by field."""
    lines: list[SummaryLine] = []
    for step in answered:
        values = stored_form(place.answers.by_step[step.id])
        # Defaults have no source: nobody answered them, and they were not known.
        values_with_source = place.stored.get(step.id) or start.known_values(step)
        sources = _provenance(start, step, values_with_source)
        for field in fields_of(step):
            source = sources.get(field.name)
            lines.append(
                SummaryLine(
                    step_id=step.id,
                    field=field.name,
                    label=field.label,
                    value=values.get(field.name),
                    shown=format_value(field, values.get(field.name)),
                    source=source.source if source else "",
                    change=step.id if is_open else None,
                )
            )
    return lines


def _warnings(place: Place) -> list[Warned]:
    warnings: list[Warned] = []
    for step in place.path:
        if step.warn is None or step.id not in place.answers.by_step:
            continue
        try:
            notices = step.warn(place.answers_up_to(step.id))
        except NotAnswered:
            continue
        warnings += [
            Warned(step_id=step.id, field=item.field, code=item.code, message=item.message)
            for item in as_errors(step, notices)
        ]
    return warnings


def _derived(place: Place, step: Step) -> list[RuleRow]:
    if step.derived is None:
        return []
    answers: Answers = place.answers_up_to(step.id)
    try:
        return list(step.derived(answers))
    except NotAnswered:
        return []


def _follows(place: Place, step: Step) -> list[RuleRow]:
    """The rules of the questions up to this one, each once, against all answers up to it."""
    questions = place.path[: place.path.index(step) + 1]
    answers = place.answers_up_to(step.id)
    rows: dict[tuple[str, str], RuleRow] = {}
    for question in questions:
        if question.derived is None:
            continue
        try:
            rows |= {(row.law, row.rule): row for row in question.derived(answers)}
        except NotAnswered:
            continue
    return list(rows.values())


def _sections(start: Start, place: Place, step: Step) -> list[SectionShown]:
    """The sections with a step on the path, or after the current one."""
    steps = start.wizard.steps
    on_path = {one.section for one in place.path}
    reached = steps.index(place.current)
    sections: list[SectionShown] = []
    for title in dict.fromkeys(one.section for one in steps if one.section):
        last = max(at for at, one in enumerate(steps) if one.section == title)
        if title == step.section:
            sections.append(SectionShown(title=title, state="current"))
        elif last >= reached:
            sections.append(SectionShown(title=title, state="ahead"))
        elif title in on_path:
            sections.append(SectionShown(title=title, state="done"))
    return sections


def _progress(head: RunHead, start: Start, place: Place, step: Step) -> WizardProgress:
    asked_steps = [
        s.id
        for s in place.path
        if s.kind is not StepKind.OUTCOME and (s is step or s.id not in place.from_known)
    ]
    return WizardProgress(
        status=head.status,
        step=asked_steps.index(step.id) + 1 if step.id in asked_steps else len(asked_steps),
        of=len(asked_steps) + place.to_come,
        may_change=place.may_change,
        reason=head.reason,
        sections=_sections(start, place, step),
    )
