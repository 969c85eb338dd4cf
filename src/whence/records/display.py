"""How records of a kind are drawn by a client that knows nothing of their domain."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Display:
    """Which fields of a record stand where, by their names in Python.

    `title` heads the record; without one it is the first of the kind's `search` fields.
    `figures` are the two or three values that tell most, beside the title in a list.
    """

    title: str | None = None
    subtitle: str | None = None
    picture: str | None = None
    """A list of files of the record, the first of which is shown."""
    figures: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every field that is named."""
        single = (self.title, self.subtitle, self.picture)
        return tuple(name for name in (*single, *self.figures) if name)


@dataclass(frozen=True)
class Unit:
    """The unit of a number: `weight: Annotated[float, Unit("kg")]`.

    `Unit(field="currency")` says that another field of the record holds it.
    """

    text: str = ""
    field: str | None = None
