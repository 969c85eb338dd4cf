"""The rule data: tests of eligibility and what else the laws say, each with section and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from whence.packs.leave.records import Law, Reason, Relation
from whence.sdk.values import Wire

Text = Annotated[str, Field(min_length=1)]
Test = Literal["at_least", "more_than", "one_of", "is_true"]
Topic = Literal[
    "entitlement",
    "year",
    "schedule",
    "together",
    "notice",
    "certification",
    "return",
    "limits",
    "days",
    "special",
    "pay",
    "health",
    "rights",
    "medical",
    "exigency",
    "accommodation",
    "retaliation",
    "definition",
]


class Basis(StrEnum):
    """What a rule was compared with, the surest first."""

    TEXT = "text"
    OLDER_TEXT = "older_text"
    AGENCY = "agency"
    SECONDARY = "secondary"
    NOT_CHECKED = "not_checked"


BASES = {
    Basis.TEXT: "checked against the text",
    Basis.OLDER_TEXT: "checked against an older version of the text",
    Basis.AGENCY: "checked against guidance of an agency or court",
    Basis.SECONDARY: "checked only against reports by others",
    Basis.NOT_CHECKED: "not checked against the text",
}
WEAK = (Basis.SECONDARY, Basis.NOT_CHECKED)
"""Bases that are told wherever the rule is: its own text was not read."""


class Source(Wire):
    """What was read to check rules."""

    id: Text
    kind: Basis
    read: date
    """The day on which it was read."""
    title: Text
    url: Text


class Dated(Wire):
    """What a rule and a provision share: where it stands, what it was checked against, and when
    it is in force.  `since` and `until` (not counted) are days on which a leave starts; None is
    for as far back, or ahead, as the data goes."""

    id: Text
    law: Law
    title: Text
    section: Text
    url: Text
    source: Source | None = None
    text: Text
    since: date | None = None
    until: date | None = None

    @property
    def basis(self) -> Basis:
        """What it was compared with."""
        return self.source.kind if self.source else Basis.NOT_CHECKED

    @property
    def cited(self) -> str:
        """Its section, and a word where its own text was not read."""
        return f"{self.section} [{BASES[self.basis]}]" if self.basis in WEAK else self.section

    def is_in_force(self, day: date | None) -> bool:
        """For a leave that starts on the day; None is the newest."""
        if day is None:
            return self.until is None
        return (self.since is None or self.since <= day) and (
            self.until is None or day < self.until
        )


def checked_words(one: Dated) -> str:
    """What a rule was checked against: `Checked against the text: 29 CFR 825.110, ...`."""
    words = BASES[one.basis].capitalize()
    return f"{words}: {one.source.title}." if one.source else f"{words}."


class Rule(Dated):
    """One test of a law: which fact it looks at, and what that fact has to be.

    `reasons` and `relations` say when the rule applies at all (empty: always), as do the facts
    `when` (only if it is true) and `unless` (not if it is true).  A fact named by `satisfied_by`
    meets the rule by itself.
    """

    needed: Text
    test: Test
    fact: Text
    value: float | None = None
    values: tuple[str, ...] = ()
    unit: str = ""
    satisfied_by: tuple[str, ...] = ()
    when: str | None = None
    unless: str | None = None
    reasons: tuple[Reason, ...] = ()
    relations: tuple[Relation, ...] = ()
    change: Text
    """What would change the answer, for a rule that is not met."""
    at_limit: Text | None = None
    """What to bear in mind where a number is exactly `value`, and that is not enough."""
    at_later: Text | None = None
    """What else it takes where the rule is met only on a later day of the leave."""

    def applies(self, reason: Reason | None, relation: Relation | None) -> bool:
        """Whether a request for this reason and person is held against the rule."""
        return (not self.reasons or reason in self.reasons) and (
            not self.relations or relation in self.relations
        )


class Statute(Wire):
    """A law with its tests, as of a day."""

    law: Law
    title: Text
    version: Text
    effective: date
    """Since when these rules are in force."""
    checked: date
    """When they were last compared with the sources."""
    rule: Annotated[tuple[Rule, ...], Field(min_length=1)]


class Provision(Dated):
    """What a law says apart from its tests; `weeks` and `days` are figures that code reads."""

    topic: Topic
    also: tuple[Law, ...] = ()
    """Laws beside `law` that it is of."""
    weeks: float | None = None
    days: int | None = None


@dataclass(frozen=True)
class RuleBook:
    """All rules in force for a leave that starts on a day."""

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
