"""Reads the rule data, and gives the rules in force on a day.

Everything is dated: a rule that changes keeps its old entry with `until`, beside a new one of the
same id with `since`.  A leave is held against the rules of the day on which it starts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast

from pydantic import Field

from whence.packs.leave.records import Law, LeaveRequest
from whence.sdk.errors import Misconfigured
from whence.sdk.values import Wire

from .book import Dated, Provision, RuleBook, Source, Statute

RULES = Path(__file__).parent.parent / "rules"
PROVISIONS = ("amounts.toml", "duties.toml", "special.toml", "questions.toml")
SOURCES = "sources.toml"
F = TypeVar("F", bound=Wire)


class _Sources(Wire):
    source: tuple[Source, ...]


class _Provisions(Wire):
    version: str
    checked: date
    provision: Annotated[tuple[Provision, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Editions:
    """All that the files say, of every time."""

    statutes: Sequence[Statute]
    provisions: Sequence[Provision]
    sources: Mapping[str, Source]

    @property
    def everything(self) -> tuple[Dated, ...]:
        """Every rule and provision, in force or not."""
        return (*(rule for one in self.statutes for rule in one.rule), *self.provisions)

    def changes(self) -> list[date]:
        """The days on which some rule changes, in order."""
        return sorted({day for one in self.everything for day in (one.since, one.until) if day})

    def begins(self, law: Law) -> date:
        """The day before which the rules of a law are not known here."""
        return next(one.effective for one in self.statutes if one.law is law)

    def book(self, on: date | None) -> RuleBook:
        """The rules for a leave that starts on a day; None for the newest.

        Before the data begins, the oldest there are.
        """
        return RuleBook(
            {one.law: _as_of(one, on) for one in self.statutes},
            {
                one.id: one
                for one in self.provisions
                if one.is_in_force(None if on is None else max(on, self.begins(one.law)))
            },
        )


def read_editions(folder: Path) -> Editions:
    """The rule data of a folder; raises Misconfigured naming the file and what is wrong in it."""
    sources = {one.id: one for one in _parsed(folder / SOURCES, _Sources, {}).source}
    statutes = [_parsed(folder / f"{law.value}.toml", Statute, sources) for law in Law]
    provisions = [_parsed(folder / name, _Provisions, sources) for name in PROVISIONS]
    editions_read = Editions(
        statutes, tuple(one for page in provisions for one in page.provision), sources
    )
    _without_gaps(editions_read.everything)
    return editions_read


@cache
def editions() -> Editions:
    """The rule data that ships with the pack."""
    return read_editions(RULES)


def rule_book(on: date | None = None) -> RuleBook:
    """The shipped rules for a leave that starts on a day; None for the newest."""
    past = None if on is None else [day for day in editions().changes() if day <= on]
    return _book(past is None, max(past, default=None) if past else None)


def book_for(request: LeaveRequest) -> RuleBook:
    """The rules of the day on which the leave starts; the newest where that is not known."""
    return rule_book(request.starts_on)


@cache
def _book(newest: bool, on: date | None) -> RuleBook:
    return editions().book(None if newest else on or date.min)


def _as_of(statute: Statute, day: date | None) -> Statute:
    applied_day = None if day is None else max(day, statute.effective)
    rules = tuple(rule for rule in statute.rule if rule.is_in_force(applied_day))
    since = max((rule.since for rule in rules if rule.since), default=statute.effective)
    return statute.model_copy(update={"rule": rules, "effective": max(since, statute.effective)})


def _without_gaps(entries: Iterable[Dated]) -> None:
    """Entries of one id follow each other without a gap, and the last has no end."""
    by_id: dict[str, list[Dated]] = {}
    for one in entries:
        by_id.setdefault(one.id, []).append(one)
    for name, versions in by_id.items():
        ends_open = versions[-1].until is None
        if not ends_open or any(
            a.until is None or a.until != b.since for a, b in pairwise(versions)
        ):
            raise Misconfigured(f"The dates of the rule {name} leave a gap, overlap, or end.")


def _parsed(path: Path, model: type[F], sources: Mapping[str, Source]) -> F:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        for part in ("rule", "provision"):
            for one in raw.get(part, ()):
                _with_source(one, sources)
                one.setdefault("law", raw.get("law"))
        return model.model_validate(raw)
    except (OSError, LookupError, TypeError, ValueError) as problem:
        raise Misconfigured(f"{path.name} is not right: {problem}") from problem


def _with_source(entry: object, sources: Mapping[str, Source]) -> None:
    values = cast("dict[str, Any]", entry)
    if (name := values.get("source")) is not None:
        values["source"] = sources[name]
