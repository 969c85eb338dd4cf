"""A wizard as a pack defines it: data, and small predicates over the answers so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel

from whence.kernel.errors import Misconfigured
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.tenancy.organization import OrganizationProfile
from whence.tenancy.profile import Profile
from whence.wizards.answers import Answers
from whence.wizards.outcome import Alternative, Calendar, OutcomeShown

EXPIRES = timedelta(days=30)
"""How long a run can be answered; after a month, facts and rules may have changed."""
_FLAT = {"string", "integer", "number", "boolean", "null"}


class StepKind(StrEnum):
    """`question` asks, `review` shows all answers for confirmation, `outcome` ends the wizard."""

    QUESTION = "question"
    REVIEW = "review"
    OUTCOME = "outcome"


class Nothing(Wire):
    """The model of a step that asks nothing."""


class RuleRow(Wire):
    """One rule applied to the facts; `source` is the section it comes from."""

    law: str
    rule: str
    needed: str
    actual: str
    result: Literal["met", "not_met", "unknown"]
    source: str


@dataclass(frozen=True)
class Notice:
    """A message about an answer, for the person.

    As a problem (`check`) it blocks, as a warning (`warn`) it never does.  `field` is the model's
    own name of the field, None if it concerns the whole step; `code` is a stable word for programs.
    """

    message: str
    field: str | None = None
    code: str = "odd"


@dataclass(frozen=True)
class Hint:
    """How to draw a field; what is absent, the client takes from the JSON schema.

    `widget` is a word for the client: `radio`, `date`, `textarea`, ...  `labels` holds the text of
    each choice.
    """

    label: str = ""
    help: str = ""
    widget: str = ""
    unit: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Background:
    """What is known before a run starts: its record, if any, the person and the organization."""

    record: BaseModel | None
    profile: Profile
    """The person's."""
    organization: OrganizationProfile
    today: date


@dataclass(frozen=True)
class KnownValue:
    """A field that need not be asked: its value, and its source in words.

    A step is skipped if everything required and `wanted` is known; the review shows it with its
    source and lets the person change it.  Otherwise only the unknown fields are asked.
    """

    step: str
    field: str
    value: Any
    """The value in the field's JSON."""
    source: str
    """`the request`, `your organization's profile`."""


@dataclass(frozen=True)
class WizardOutcome:
    """The result of a wizard: a heading, a text, rule rows, and figures or dates."""

    title: str
    text: str
    rules: tuple[RuleRow, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    """Values that a client may show separately, as JSON."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Headings for `values` in the reader's words, by their names; without one, the name itself."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What the result is about, in words: `{"First day": "December 7, 2026"}`."""
    calendar: Calendar | None = None
    alternatives: tuple[Alternative, ...] = ()
    """What would change the result: other facts, each with what would follow from it."""

    def shown(self) -> OutcomeShown:
        """What clients draw beside text, rules and values."""
        return OutcomeShown(
            about=dict(self.about),
            labels=dict(self.labels),
            calendar=self.calendar,
            alternatives=list(self.alternatives),
        )


@dataclass(frozen=True)
class Step:
    """One step of a wizard, with a flat model of its own for the answer.

    The predicates get the answers of the earlier steps on the path; `check` (blocks), `warn` (never
    blocks) and `derived` also get the step's own.  They must be pure: the path is replayed often.
    """

    id: str
    title: str
    model: type[BaseModel] = Nothing
    kind: StepKind = StepKind.QUESTION
    why: str = ""
    """Why this is asked, for the person."""
    show_if: Callable[[Answers], bool] | None = None
    check: Callable[[Answers], Sequence[Notice]] | None = None
    warn: Callable[[Answers], Sequence[Notice]] | None = None
    derived: Callable[[Answers], Sequence[RuleRow]] | None = None
    hints: Mapping[str, Hint] = field(default_factory=dict)
    """By the model's own field names."""
    section: str = ""
    """The part of the form to which it belongs, as the progress names it."""
    submit_label: str = "Continue"
    wanted: tuple[str, ...] = ()
    """Optional fields, by the model's own names, that are asked while unknown, even if everything
    required is known."""
    always_ask: bool = False
    """Ask even if everything is known: for facts that change or that a person must confirm."""


@dataclass(frozen=True)
class Wizard:
    """A guided form.  `id` is `<pack>.<name>`; its last step is the outcome.

    `version` changes whenever the steps do: a run keeps the version it began with, as long as a
    pack offers it.  `kind` is the kind of record a run may be about; on completion `fill` makes the
    record that is created, or written into the run's record.  Raises Misconfigured for a definition
    that cannot work.
    """

    id: str
    version: str
    title: str
    steps: Sequence[Step]
    outcome: Callable[[Answers], WizardOutcome]
    kind: str | None = None
    fill: Callable[[Answers], BaseModel] | None = None
    known: Callable[[Background], Sequence[KnownValue]] | None = None
    expires: timedelta = EXPIRES
    description: str = ""

    def __post_init__(self) -> None:
        ids = [step.id for step in self.steps]
        models = [step.model for step in self.steps if step.kind is StepKind.QUESTION]
        outcomes = [step for step in self.steps if step.kind is StepKind.OUTCOME]
        if len(set(ids)) != len(ids):
            self._reject("two steps have the same id")
        if len(set(models)) != len(models):
            self._reject("two questions share a model; answers are looked up by it")
        if len(outcomes) != 1 or self.steps[-1] is not outcomes[0] or outcomes[0].show_if:
            self._reject("its last step must be its only outcome, and always shown")
        if (self.fill is None) < (self.kind is None):
            self._reject("`fill` makes a record of `kind`, which is missing")
        if self.fill and not any(s.kind is StepKind.REVIEW and not s.show_if for s in self.steps):
            self._reject("a wizard that writes a record needs a review step that is always shown")
        for step in self.steps:
            self._check_flat(step)

    @property
    def writes(self) -> bool:
        """Whether completing it makes a record of its kind, or fills in the one it is about."""
        return self.fill is not None

    def step(self, step_id: str) -> Step | None:
        """The step of that id."""
        return next((step for step in self.steps if step.id == step_id), None)

    def _check_flat(self, step: Step) -> None:
        schema = step.model.model_json_schema()
        for name, schema_of_field in schema.get("properties", {}).items():
            if not _is_flat(schema_of_field, schema.get("$defs", {})):
                self._reject(f"'{step.id}.{name}' is not flat: use plain values or lists of them")
        for name in step.hints:
            if name not in step.model.model_fields:
                self._reject(
                    f"'{step.id}' has a hint for '{name}', which is not a field of its model"
                )
        for name in step.wanted:
            if name not in step.model.model_fields:
                self._reject(f"'{step.id}' wants '{name}', which is not a field of its model")

    def _reject(self, what: str) -> None:
        raise Misconfigured(f"The wizard '{self.id}' is invalid: {what}.")


def wire_name(model: type[BaseModel], name: str) -> str:
    """A field's name on the wire."""
    info = model.model_fields.get(name)
    return (info.serialization_alias if info else None) or camel(name)


def _is_flat(
    schema_of_field: Mapping[str, Any], definitions: Mapping[str, Any], *, deep: bool = False
) -> bool:
    if reference := schema_of_field.get("$ref"):
        return _is_flat(definitions[reference.rpartition("/")[2]], definitions, deep=deep)
    if alternatives := schema_of_field.get("anyOf"):
        return all(_is_flat(one, definitions, deep=deep) for one in alternatives)
    if schema_of_field.get("type") == "array":
        return not deep and _is_flat(schema_of_field.get("items", {}), definitions, deep=True)
    return (
        "enum" in schema_of_field
        or "const" in schema_of_field
        or schema_of_field.get("type") in _FLAT
    )
