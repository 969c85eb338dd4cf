"""Rules by their words: what each needs, its section, and what it was checked against."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from whence.packs.leave.eligibility.book import BASES, Rule
from whence.packs.leave.eligibility.editions import rule_book
from whence.packs.leave.eligibility.finding import best_rules
from whence.packs.leave.eligibility.words import LAWS
from whence.packs.leave.records import Law
from whence.sdk.access import Scope
from whence.sdk.tools import ToolContext, tool
from whence.sdk.values import Wire


class RuleQuestion(Wire):
    """The words and laws to search (all laws if none is named), and when the leave starts."""

    words: Annotated[str, Field(min_length=1, max_length=300)]
    laws: Annotated[tuple[Law, ...], Field(max_length=3)] = ()
    starts_on: date | None = None
    """The first day of the leave: rules change, and those of that day apply."""
    limit: Annotated[int, Field(ge=1, le=20)] = 6


class FoundRule(Wire):
    id: str
    law: str
    title: str
    needed: str | None
    """For a test of eligibility: what it needs."""
    text: str
    section: str
    url: str
    checked: str
    """What the rule was compared with, or that it was not."""


class FoundRules(Wire):
    rules: list[FoundRule]
    """The best first; none where no rule has such words."""


@tool(Scope.READ)
async def search_leave_rules(arguments: RuleQuestion, context: ToolContext) -> FoundRules:
    """Search the rules on leave (FMLA, CFRA, California pregnancy disability leave) by words; each
    comes with what it requires and its section."""
    matches = best_rules(
        rule_book(arguments.starts_on), arguments.words, arguments.laws or tuple(Law)
    )
    return FoundRules(
        rules=[
            FoundRule(
                id=one.id,
                law=LAWS[one.law],
                title=f"{LAWS[one.law]}: {one.title}",
                needed=one.needed if isinstance(one, Rule) else None,
                text=one.text,
                section=one.section,
                url=one.url,
                checked=BASES[one.basis],
            )
            for _, one in matches[: arguments.limit]
        ]
    )
