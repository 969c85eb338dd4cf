"""How clients draw records of a kind without knowing its domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from whence.kernel.errors import Misconfigured

Tone = Literal["draft", "waiting", "active", "success", "failed"]
"""What a state means to a reader: not begun, waiting for somebody, under way, done well, gone
wrong."""


@dataclass(frozen=True)
class Unit:
    """The unit of a number: `weight: Annotated[float, Unit("kg")]`.

    `Unit(field="currency")`: another field of the record contains it.
    """

    text: str = ""
    field: str | None = None


@dataclass(frozen=True)
class Conclusion:
    """A claim of the current dossier that lists show beside the record.

    `Conclusion("price.target.amount", "Target", Unit(field="price.currency"))`: the claim's path,
    its heading, and the place of its unit in the dossier's body.
    """

    path: str
    label: str
    unit: Unit = Unit()


@dataclass(frozen=True)
class Display:
    """Which fields of a record to show where, by their Python names.

    `title` heads the record; the default is the first of the kind's `search` fields.  `figures` are
    the two or three most telling values, shown next to the title in a list.
    """

    title: str | None = None
    subtitle: str | None = None
    picture: str | None = None
    """The field with a list of the record's files, of which the first is shown."""
    state: str | None = None
    """The field with a choice of few words that says where the record stands, such as draft or
    sold."""
    tones: Mapping[str, Tone] = field(default_factory=dict[str, Tone], hash=False)
    """What the choices of `state` mean, such as `{"sold": "success"}`; others are neutral."""
    choices: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]], hash=False
    )
    """By field, what people call its choices: `{"reason": {"own_health": "Own illness"}}`."""
    figures: tuple[str, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()
    """What lists show of a record's research."""

    @property
    def names(self) -> tuple[str, ...]:
        """All fields named here."""
        single = (self.title, self.subtitle, self.picture, self.state)
        return tuple(name for name in (*single, *self.figures, *self.choices) if name)

    def check(self, kind: str, record: type[BaseModel]) -> None:
        """Raise Misconfigured for a name that is not a field, and a word that is not a choice."""
        fields = record.model_fields
        for name in self.names:
            if name not in fields:
                raise Misconfigured(
                    f"The display of '{kind}' names '{name}', which is no field of "
                    f"{record.__name__}."
                )
        words = [(name, word) for name, labels in self.choices.items() for word in labels]
        for name, word in [*words, *((self.state or "", each) for each in self.tones)]:
            try:
                TypeAdapter(fields[name].annotation or str).validate_python(word)
            except (KeyError, ValidationError):
                raise Misconfigured(
                    f"The display of '{kind}' names '{word}', which is no choice of '{name}'."
                ) from None
