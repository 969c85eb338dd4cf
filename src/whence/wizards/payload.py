"""A step as it goes to every client: all that is needed to draw it, and nothing else to ask for."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from pydantic import Field

from whence.kernel.wire import Wire
from whence.wizards.definition import RuleRow, StepKind
from whence.wizards.reading import AnswerError
from whence.wizards.status import RunStatus


class DefinitionRef(Wire):
    """The definition that the run is pinned to."""

    id: str
    version: str


class StepShown(Wire):
    """The step's words.  At the outcome, `title` and `why` are what the wizard says."""

    id: str
    kind: StepKind
    title: str
    why: str


class Choice(Wire):
    """A value that may be chosen, and its words."""

    value: str | int | float | bool
    label: str


class FieldShown(Wire):
    """How a field is drawn."""

    name: str
    label: str
    help: str = ""
    widget: str
    """`text`, `textarea`, `number`, `date`, `yes_no`, `radio`, `select`, `checkboxes`, or a word
    of the pack's own."""
    unit: str = ""
    required: bool
    choices: list[Choice] = Field(default_factory=list[Choice])


class Warned(Wire):
    """Something odd about an answer; it does not keep anybody from going on."""

    step_id: str
    field: str | None
    code: str
    message: str


class RecordRef(Wire):
    """The record that the run is about, or that it wrote."""

    kind: str
    id: UUID


class KnownField(Wire):
    """A field of the step that is known and not asked, and where it is known from.

    Its value stands in `values`; a client that sends it back changes nothing."""

    name: str
    label: str
    shown: str
    source: str


class StepUi(Wire):
    """What to draw beside the schema: the fields to ask for in their order, those known already,
    and warnings about all answers."""

    title: str
    """The wizard's."""
    fields: list[FieldShown] = Field(default_factory=list[FieldShown])
    known: list[KnownField] = Field(default_factory=list[KnownField])
    warnings: list[Warned] = Field(default_factory=list[Warned])
    record: RecordRef | None = None


class Provenance(Wire):
    """Where a value comes from: `you`, or what the wizard knew before."""

    source: str


class Nav(Wire):
    """Where one may go: the step before, the steps that may be changed, and whether to cancel."""

    back: str | None
    change: list[str]
    cancel: bool


class Progress(Wire):
    """How far the run is, in steps that are asked.  `reason` says why it is not open."""

    status: RunStatus
    step: int
    of: int
    """All steps of the path, as far as the answers tell."""
    may_change: bool = False
    """Whether answers to come may make `of` more, or less: then it is only about so many."""
    reason: str | None = None


class SummaryLine(Wire):
    """One answer to be checked, in words, and the step to change it at."""

    step_id: str
    field: str
    label: str
    value: Any
    shown: str
    source: str
    change: str | None


class StepPayload(Wire):
    """A step of a run, complete: a client draws it unchanged and sends `values` back.

    `errors` block, `ui.warnings` do not.  A submit names the `revision` it was made on.
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
    progress: Progress
    summary: list[SummaryLine]
    derived: list[RuleRow]
    submit_label: str | None
    text_fallback: str

    def as_json(self) -> dict[str, Any]:
        """As JSON, by the names that clients use."""
        return self.model_dump(mode="json", by_alias=True)
