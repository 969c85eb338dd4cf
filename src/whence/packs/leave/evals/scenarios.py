"""Written scenarios: the facts of a request, and what every rule has to find on them.

`bases.toml` has whole requests with the result of every rule.  Each other file has scenarios that
begin with a base, change facts, and name only what is then different.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from whence.packs.leave.records import LeaveRequest
from whence.sdk.errors import Invalid
from whence.sdk.values import Wire

BASES = "bases.toml"
STANDINGS = {
    "appears": "appears_eligible",
    "later": "appears_eligible_later",
    "not_eligible": "does_not_appear_eligible",
    "open": "cannot_be_told",
}
RESULTS = ("met", "met_later", "not_met", "unknown")
Expected = str | float | bool | date | list[str]


class Outcomes(Wire):
    """Rules by result and laws by standing, as far as they are named."""

    met: tuple[str, ...] = ()
    met_later: tuple[str, ...] = ()
    not_met: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Rules of the base that do not apply any more."""
    appears: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    not_eligible: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    figures: dict[str, Any] = Field(default_factory=dict)
    """`leave.fmla.left_weeks`, `date.notice`, `together`, ... and their values."""

    def over(self, base: Mapping[str, Expected]) -> dict[str, Expected]:
        """The base's expectations with these in their place."""
        expected = {name: value for name, value in base.items() if name not in self.gone}
        for result in RESULTS:
            expected |= dict.fromkeys(getattr(self, result), result)
        for name, standing in STANDINGS.items():
            expected |= dict.fromkeys(getattr(self, name), standing)
        return {**expected, **self.figures}


class Base(Outcomes):
    name: str
    facts: dict[str, Any]


class Written(Outcomes):
    name: str
    base: str
    today: date | None = None
    """The day on which it is looked at, for answers that are overdue."""
    set: dict[str, Any] = Field(default_factory=dict)
    unset: tuple[str, ...] = ()


class BasesFile(Wire):
    base: tuple[Base, ...]


class ScenariosFile(Wire):
    scenario: tuple[Written, ...]


@dataclass(frozen=True)
class Scenario:
    """A request and everything that is expected of it, by name."""

    name: str
    request: LeaveRequest
    expected: Mapping[str, Expected]
    today: date | None = None


def read_scenarios(folder: Path) -> list[Scenario]:
    """All scenarios of a folder, the bases themselves among them.

    Raises:
        Invalid: a file or scenario cannot be read (names it), or two have the same name.
    """
    try:
        bases = {one.name: one for one in _bases(folder / BASES)}
        scenarios = [_scenario(one.name, one.facts, one.over({})) for one in bases.values()]
        for path in sorted(folder.glob("*.toml")):
            if path.name != BASES:
                scenarios += _derived(path, bases)
    except (OSError, ValidationError, tomllib.TOMLDecodeError) as problem:
        raise Invalid(f"The scenarios in {folder.name} cannot be read: {problem}") from problem
    names = [one.name for one in scenarios]
    if duplicates := sorted({name for name in names if names.count(name) > 1}):
        raise Invalid(f"Two scenarios have the name '{duplicates[0]}'.")
    return scenarios


def _bases(path: Path) -> tuple[Base, ...]:
    return BasesFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8"))).base


def _derived(path: Path, bases: Mapping[str, Base]) -> Iterator[Scenario]:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    for one in ScenariosFile.model_validate(raw).scenario:
        base = bases.get(one.base)
        if base is None:
            raise Invalid(f"{path.name}: '{one.name}' has no base '{one.base}'.")
        facts = {name: value for name, value in base.facts.items() if name not in one.unset}
        expected = one.over(base.over({}))
        yield replace(_scenario(one.name, {**facts, **one.set}, expected), today=one.today)


def _scenario(name: str, facts: Mapping[str, Any], expected: Mapping[str, Expected]) -> Scenario:
    request = LeaveRequest.model_validate({"title": name, **facts})
    return Scenario(name, request, expected)
