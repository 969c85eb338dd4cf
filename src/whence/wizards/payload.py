"""A step as sent to every client, with everything needed to draw it."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from whence.kernel.wire import Wire
from whence.wizards.definition import RuleRow, StepKind
from whence.wizards.outcome import OutcomeShown
from whence.wizards.reading import AnswerError
from whence.wizards.status import RunStatus


class DefinitionRef(Wire):
    """The definition that the run is pinned to."""

    id: str
    version: str


class StepShown(Wire):
    """The step's texts.  For the outcome, `title` and `why` are the wizard's result."""

    id: str
    kind: StepKind
    title: str
    why: str


class Choice(Wire):
    """A value to choose, and its label."""

    value: str | int | float | bool
    label: str


class FieldShown(Wire):
    """How to draw a field."""

    name: str
    label: str
    help: str = ""
    widget: str
    """`text`, `textarea`, `number`, `date`, `yes_no`, `radio`, `select`, `checkboxes`, or the
    pack's own word."""
    unit: str = ""
    required: bool
    choices: list[Choice] = Field(default_factory=list[Choice])


class Warned(Wire):
    """A warning about an answer; it does not block anything."""

    step_id: str
    field: str | None
    code: str
    message: str


class RecordRef(Wire):
    """The record the run is about, or the record it wrote."""

    kind: str
    id: UUID


class KnownField(Wire):
    """A field of the step that is known and not asked, with its source.

    Its value is in `values`; sending it back changes nothing."""

    name: str
    label: str
    shown: str
    source: str


class StepUi(Wire):
    """What to draw in addition to the schema: the fields to ask in order, the known fields, and
    warnings about all answers."""

    title: str
    """The wizard's title."""
    fields: list[FieldShown] = Field(default_factory=list[FieldShown])
    known: list[KnownField] = Field(default_factory=list[KnownField])
    warnings: list[Warned] = Field(default_factory=list[Warned])
    record: RecordRef | None = None
    follows: list[RuleRow] = Field(default_factory=list[RuleRow])
    """At a question: what the rules of this and the earlier questions say of the answers so far."""


class Provenance(Wire):
    """Where a value comes from: `you`, or a source the wizard knew before."""

    source: str


class Nav(Wire):
    """Where one can go: the previous step, the steps to change, and whether to cancel."""

    back: str | None
    change: list[str]
    cancel: bool


class SectionShown(Wire):
    """A part of the form, and how far it is."""

    title: str
    state: Literal["done", "current", "ahead"]


class WizardProgress(Wire):
    """How far the run is, in steps that are asked.  `reason` says why it is no longer open."""

    status: RunStatus
    step: int
    of: int
    """All steps of the path, as far as the answers show."""
    may_change: bool = False
    """Whether further answers may change `of`, which is then approximate."""
    reason: str | None = None
    sections: list[SectionShown] = Field(default_factory=list[SectionShown])
    """The parts of the form in their order; empty for a form without any."""


class SummaryLine(Wire):
    """One answer to check, in words, and the step at which to change it."""

    step_id: str
    field: str
    label: str
    value: Any
    shown: str
    source: str
    change: str | None


class StepPayload(Wire):
    """A complete step of a run: a client draws it unchanged and sends `values` back.

    `errors` block, `ui.warnings` do not.  A submit names the `revision` it is based on.
    """

    wizard_run_id: UUID
    definition: DefinitionRef
    revision: int
    step: StepShown
    schema_: dict[str, Any] = Field(alias="schema")
    ui: StepUi
    values: dict[str, Any]
    provenance: dict[str, Provenance]
    errors: list[AnswerError]
    nav: Nav
    progress: WizardProgress
    summary: list[SummaryLine]
    derived: list[RuleRow]
    outcome: OutcomeShown | None = None
    """At the outcome: headings, a calendar, and what would change the result."""
    submit_label: str | None
    text_fallback: str

    def as_json(self) -> dict[str, Any]:
        """The payload as JSON, with the names that clients use."""
        return self.model_dump(mode="json", by_alias=True)
