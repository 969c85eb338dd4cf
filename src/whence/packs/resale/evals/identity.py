"""resale.identity: whether rules conclude the brand and the model of a record, and invent none.

Two kinds of data.  `identity.jsonl` has records that we wrote, each with what should be concluded
and traps in it: specifications that look like codes, accessories that name another product.  In a
folder of labelled products (`items.jsonl`) brand and model are known; they are hidden and only the
title is shown, of the products whose title has the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationError

from whence.packs.resale.identification.records import ProductLook
from whence.packs.resale.identification.rules import identify
from whence.packs.resale.identification.spelling import compact
from whence.sdk.errors import Invalid
from whence.sdk.values import Wire

from .labelled import read_folder

# Brands are not concluded from a title alone, so there `brand: right` is 0 by design.
OWN = "identity.jsonl"
LABELLED = "items.jsonl"


class Expected(Wire):
    """What should be concluded; null where nothing can be."""

    brand: str | None = None
    model: str | None = None


class Labelled(Wire):
    """A record before it is identified, and what should be concluded of it."""

    title: str
    brand: str | None = None
    model: str | None = None
    printed: list[str] = Field(default_factory=list)
    attributes: dict[str, str] = Field(default_factory=dict)
    expect: Expected

    def look(self) -> ProductLook:
        """What identification is shown."""
        return ProductLook.model_validate(self.model_dump(exclude={"expect"}))


@dataclass(frozen=True)
class FieldFigures:
    """Of one attribute; a value is right whatever its case, spaces and hyphens."""

    right: float
    """Share of the records that have one in which the right one is concluded."""
    wrong: float
    """Share of all records in which another one, or one that does not exist, is concluded."""
    known: int
    """Records that have one."""
    misses: tuple[str, ...]


@dataclass(frozen=True)
class IdentityReport:
    """How brand, model and title are concluded."""

    n: int
    brand: FieldFigures
    model: FieldFigures
    title_kept: float
    """Share in which every word of the concluded title was written on the record."""

    def figures(self) -> dict[str, float | int | str]:
        """Flat figures: the shares, and each wrong conclusion of a small set."""
        rows: dict[str, float | int | str] = {"n": self.n, "title_kept": self.title_kept}
        for name, one in (("brand", self.brand), ("model", self.model)):
            rows |= {f"{name}: right": one.right, f"{name}: wrong": one.wrong}
            rows |= {f"{name}: known": one.known}
            rows |= {f"{name}: miss {at}": miss for at, miss in enumerate(one.misses, 1)}
        return rows


def identity(data: Path) -> IdentityReport:
    """Identify every record of a folder by rules.

    Raises:
        Invalid: neither file is there, or a line is malformed (names it).
    """
    if (data / OWN).is_file():
        return report(list(_own(data / OWN)), show=True)
    if not (rows := list(_titles(data))):
        raise Invalid(f"{data}: no product whose title has its model")
    return report(rows, show=False)


def report(rows: list[Labelled], *, show: bool) -> IdentityReport:
    """Count what identification concludes of each record."""
    concluded = [identify(row.look()) for row in rows]
    titles = [
        set(one.title.split()) <= set(row.title.split())
        for row, one in zip(rows, concluded, strict=True)
    ]
    pairs = list(zip(rows, concluded, strict=True))
    return IdentityReport(
        len(rows),
        _figures(((row.title, row.expect.brand, one.brand) for row, one in pairs), show=show),
        _figures(((row.title, row.expect.model, one.model) for row, one in pairs), show=show),
        sum(titles) / len(rows),
    )


def _figures(values: Iterable[tuple[str, str | None, str | None]], *, show: bool) -> FieldFigures:
    n = known = right = wrong = 0
    misses: list[str] = []
    for title, expected, concluded in values:
        n += 1
        known += expected is not None
        is_right = compact(expected or "") == compact(concluded or "")
        right += expected is not None and is_right
        wrong += concluded is not None and not is_right
        if not is_right and show:
            misses.append(f"{title!r}: {expected or 'none'} read as {concluded or 'none'}")
    return FieldFigures(right / max(1, known), wrong / max(1, n), known, tuple(misses))


def _own(path: Path) -> Iterator[Labelled]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            yield Labelled.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            raise Invalid(f"{path}, line {number}: not a record with what to expect") from error


def _titles(data: Path) -> Iterator[Labelled]:
    """The labelled products whose titles have their model, by their titles alone.

    Where a title lacks it, the label is a part number and says nothing of the model in the title.
    """
    for product in read_folder(data).items.values():
        brand, model = compact(product.brand or ""), compact(product.model or "")
        code, words = model.removeprefix(brand), compact(product.title)
        if code and code in words:
            told = product.brand if brand and brand in words else None
            yield Labelled(title=product.title, expect=Expected(brand=told, model=code))
