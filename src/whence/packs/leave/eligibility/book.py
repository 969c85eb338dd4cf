"""The rule data: tests of eligibility and what else the laws say, each with its section."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from whence.packs.leave.records import Law, Reason, Relation
from whence.sdk import Misconfigured, Wire

RULES = Path(__file__).parent.parent / "rules"
Text = Annotated[str, Field(min_length=1)]
Test = Literal["at_least", "more_than", "one_of", "is_true"]
Topic = Literal["entitlement", "year", "schedule", "together", "notice", "certification", "return"]


class Rule(Wire):
    """One test of a law: which fact it looks at, and what that fact has to be.

    `reasons` and `relations` say when the rule applies at all (empty: always); a fact named by
    `satisfied_by` meets the rule by itself.
    """

    id: Text
    law: Law
    title: Text
    needed: Text
    section: Text
    url: Text
    text: Text
    test: Test
    fact: Text
    value: float | None = None
    values: tuple[str, ...] = ()
    unit: str = ""
    satisfied_by: str | None = None
    reasons: tuple[Reason, ...] = ()
    relations: tuple[Relation, ...] = ()
    change: Text
    """What would change the answer, for a rule that is not met."""

    def applies(self, reason: Reason | None, relation: Relation | None) -> bool:
        """Whether a request for this reason and person is held against the rule."""
        return (not self.reasons or reason in self.reasons) and (
            not self.relations or relation in self.relations
        )


class Statute(Wire):
    """A law with its tests, as of a date."""

    law: Law
    title: Text
    version: Text
    effective: date
    """Since when these rules are in force."""
    checked: date
    """When they were last compared with the sources."""
    rule: Annotated[tuple[Rule, ...], Field(min_length=1)]


class Provision(Wire):
    """What a law says apart from its tests; `weeks` and `days` are figures that code reads."""

    id: Text
    law: Law
    topic: Topic
    title: Text
    section: Text
    url: Text
    text: Text
    weeks: float | None = None
    days: int | None = None


class Provisions(Wire):
    version: Text
    checked: date
    provision: tuple[Provision, ...]


@dataclass(frozen=True)
class RuleBook:
    """All rule data, read once."""

    statutes: Mapping[Law, Statute]
    provisions: Mapping[str, Provision]

    def rules(self, law: Law) -> tuple[Rule, ...]:
        """The tests of a law, in the order in which they are told."""
        return self.statutes[law].rule

    def weeks(self, provision: str) -> float:
        """A provision's workweeks."""
        weeks = self.provisions[provision].weeks
        assert weeks is not None, provision
        return weeks

    def days(self, provision: str) -> int:
        """A provision's days: calendar days or business days, as its text says."""
        days = self.provisions[provision].days
        assert days is not None, provision
        return days

    def on(self, topic: Topic) -> list[Provision]:
        """What the laws say on a topic."""
        return [one for one in self.provisions.values() if one.topic == topic]


@cache
def rule_book() -> RuleBook:
    """The shipped rules; raises Misconfigured naming the file and the key that is wrong."""
    statutes = [_statute(RULES / f"{law.value}.toml") for law in Law]
    path = RULES / "provisions.toml"
    try:
        provisions = Provisions.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as problem:
        raise Misconfigured(f"{path.name} is not right: {problem}") from problem
    return RuleBook(
        {statute.law: statute for statute in statutes},
        {provision.id: provision for provision in provisions.provision},
    )


def _statute(path: Path) -> Statute:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        rules = [{"law": raw["law"], **rule} for rule in raw["rule"]]
        return Statute.model_validate({**raw, "rule": rules})
    except (OSError, LookupError, TypeError, ValidationError, tomllib.TOMLDecodeError) as problem:
        raise Misconfigured(f"{path.name} is not right: {problem}") from problem
