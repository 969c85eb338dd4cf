"""How clients draw records of a kind without knowing its domain."""

from __future__ import annotations

from dataclasses import dataclass


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
    figures: tuple[str, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()
    """What lists show of a record's research."""

    @property
    def names(self) -> tuple[str, ...]:
        """All fields named here."""
        single = (self.title, self.subtitle, self.picture, self.state)
        return tuple(name for name in (*single, *self.figures) if name)
