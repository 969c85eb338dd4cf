"""A message that asks for changes, taken apart: for each change the field's words and the value's.

Quoted values are set apart first, so that no word inside one is taken for a field or for an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from whence.chat.offer import Chat, Editable
from whence.chat.spelling import QUOTED, editable_words, field_called, mended

MOST_BEFORE = 120
"""Characters before a change in its part of a message; so that reading takes no longer with it."""


class Way(Enum):
    SET = auto()
    CLEAR = auto()
    UP = auto()
    """By an amount or a share."""
    DOWN = auto()
    ADD = auto()


@dataclass(frozen=True)
class Clause:
    """One change as it was said."""

    words: str
    way: Way
    value: str
    field: Editable | None = None
    """None where no field of the pack was named."""
    named: str = ""
    """What was named in its place."""
    quoted: bool = False
    """The value stood in quotes: it is meant letter for letter."""
    spoken_of: Editable | None = None
    """The field that was named last before, which `it` may mean."""


_RAISE = "raise|increase|bump(?: up)?|lift"
_LOWER = "lower|reduce|decrease|drop|cut"
_CLEAR = "clear|remove|delete|erase|empty|unset|reset|blank"
_CLEARED = r"(?:\s*[,;.!?(].*|\s+(?:please|pls|because|as|since|it|field|now|from|for)\b.*)?"
_SET = (
    f"set|change|update|edit|correct|fix|adjust|modify|amend|make|put|enter|switch|{_RAISE}|"
    f"{_LOWER}|replace|rename|retitle|write|mark|assign"
)
_CHOOSE = r"use|take|choose|pick|go\s+with|go\s+for"
_AS = "(?:as|for|in|into)"
_THE = r"(?:(?:the|its|my|this|that|a|an|our|his|her|their)\s+)?(?:\w+'s\s+)?"
_BECOMES = r"(?:(?:up|down)\s+)?(?:to\s+(?:be|say|read|become)\b|(?:to|as|at|into|with)\b)"
_TO = rf"(?:\s+{_BECOMES}|\s*(?::|=|->|→))(?:\s*:)?\s*"
_OUGHT = r"\s+(?:should|must|ought\s+to|needs?\s+to|has\s+to)\s+(?:be|say|read|become)\s+"
_SAYING = r"\s+(?:saying|that\s+says|that)\s+(?:that\s+)?"
_POLITE = re.compile(
    r"[\s,.;!]*(?:\b(?:please|pls|thanks|thank you|instead|then|now|for me|will you|"
    r"if (?:that is|that's) (?:ok|okay|possible))\b[\s,.;!?]*)*\Z",
    re.I,
)
_ENDS = (
    r"(?:\s*[,;]\s*(?:and\s+|then\s+)*|\s+(?:and|then)\s+(?:also\s+|then\s+)?|[.!?]+\s+|\s*\n+\s*)"
)


def clauses(text: str, chat: Chat) -> list[Clause]:
    """The changes of a message, in order."""
    plain = text.replace("’", "'").replace("‘", "'")
    masked = QUOTED.sub(lambda match: "\ufffc" * len(match[0]), plain)
    spoken = masked.lower()
    mended_words = mended(spoken, chat, ())
    if len(mended_words) == len(spoken):
        spoken = mended_words
    ways = _ways("|".join(editable_words(chat)) or r"(?!)")
    found: list[Clause] = []
    for start, end in _parts(spoken, ways):
        found += ways.read(chat, plain[start:end], spoken[start:end], spoken[:start])
    return found


@lru_cache(maxsize=64)
def _ways(fields: str) -> _Ways:
    return _Ways(fields)


def _parts(spoken: str, ways: _Ways) -> Iterator[tuple[int, int]]:
    """Where each change begins and ends: at a stop, comma or `and` before the next change."""
    start = 0
    for match in re.finditer(_ENDS, spoken):
        if match.start() >= start and ways.begins(spoken[match.end() :]):
            yield start, match.start()
            start = match.end()
    yield start, len(spoken)


class _Ways:
    """The forms of a change, made with a pack's words for its fields."""

    def __init__(self, fields: str) -> None:
        named = rf"{_THE}(?P<field>{fields})\b"
        self._named = re.compile(rf"\b(?:{fields})\b")
        lead = rf"(?:.{{0,{MOST_BEFORE}}}?\b)??"
        self._forms: tuple[tuple[Way, re.Pattern[str]], ...] = tuple(
            (way, re.compile(form, re.S))
            for way, form in (
                (Way.UP, rf"{lead}(?:{_RAISE})\s+{named}\s+by\s+(?P<value>.+)"),
                (Way.DOWN, rf"{lead}(?:{_LOWER})\s+{named}\s+by\s+(?P<value>.+)"),
                (Way.ADD, rf"{lead}(?:add|append)\s+(?P<value>.+?)\s+(?:to|in|into)\s+{named}\W*"),
                (Way.ADD, rf"{lead}(?:add|append)\s+{named}(?:{_TO}|{_SAYING}|\s+)(?P<value>.+)"),
                (Way.SET, rf"{lead}{named}\s+from\s+.+?\s+to\s+(?P<value>.+)"),
                (Way.SET, rf"{lead}{named}(?:{_OUGHT}|{_TO})(?P<value>.+)"),
                (Way.CLEAR, rf"{lead}(?:{_CLEAR})\s+(?:out\s+)?{named}(?P<value>){_CLEARED}"),
                (Way.SET, rf"{lead}(?:{_SET}|{_CHOOSE})\s+(?P<value>\S.*?)\s+{_AS}\s+{named}\W*"),
                (
                    Way.SET,
                    rf"{lead}{named}\s+(?:it|this|that|them)\s+(?:at|to|for)\s+(?P<value>.+)",
                ),
                (Way.SET, rf"{lead}(?:{_SET})\s+{named}\s+(?P<value>[\d$€£\ufffc].*)"),
                (Way.SET, rf"{_THE}(?P<field>{fields})\s+(?P<value>[\d$€£\ufffc].*)"),
            )
        )
        self._renamed = re.compile(
            rf"{lead}(?:rename|retitle)\s+(?:it|this|that|{_THE}\w+)\s+(?:to|as)\s+(?P<value>.+)",
            re.S,
        )
        self._unnamed = re.compile(
            rf"{lead}(?:{_SET})\s+(?:it|this|that|them|{_THE}(?:item|record))"
            r"(?:\s+down)?(?:\s+(?:to|as|at))?\s+(?P<value>.+)",
            re.S,
        )
        self._stated = re.compile(rf"{lead}{named}\s+(?:is|was)\s+(?P<value>.+)", re.S)
        self._other = re.compile(
            rf"{lead}(?:{_SET}|{_CLEAR})\s+{_THE}(?P<named>[a-z][\w\s-]{{0,40}}?)"
            r"(?:\s+(?:to|as|at|by)\s+.+|\s*[:=]\s*.+|\W*)",
            re.S,
        )
        plainly = rf"{_THE}(?:{fields})\b"
        self._begins = re.compile(
            rf"(?:please\s+|also\s+|then\s+|and\s+)*(?:(?:{_SET}|{_CLEAR}|add|append)\s+{plainly}"
            rf"|(?:mark|make|rename|retitle)\s+(?:it|this|that)\b|{plainly}(?:{_TO}|{_OUGHT}|\s+[\d$€£\ufffc]))"
        )

    def begins(self, spoken: str) -> bool:
        """Whether a change begins here."""
        return self._begins.match(spoken) is not None

    def read(self, chat: Chat, plain: str, spoken: str, before: str) -> list[Clause]:
        """The change of one part, none where it asks for none; `before` it was said."""
        words = plain.strip()
        for way, form in self._forms:
            if match := form.fullmatch(spoken):
                field = field_called(match["field"], chat)
                value = self._said(plain, match)
                return [Clause(words, way, value, field, quoted=self._quoted(plain, match))]
        if match := self._renamed.fullmatch(spoken):
            field = next(
                (e for e in chat.editable if {"title", "name"} & {*e.words, e.field}), None
            )
            if field is not None:
                value, quoted = self._said(plain, match), self._quoted(plain, match)
                return [Clause(words, Way.SET, value, field, quoted=quoted)]
        if match := self._unnamed.fullmatch(spoken):
            spoken_of = self._last_named(chat, before + spoken[: match.start("value")])
            return [Clause(words, Way.SET, self._said(plain, match), spoken_of=spoken_of)]
        if match := self._stated.fullmatch(spoken):
            field = field_called(match["field"], chat)
            return [Clause(words, Way.SET, self._said(plain, match), field)]
        if match := self._other.fullmatch(spoken):
            named = match["named"].strip()
            return [Clause(words, Way.SET, "", field_called(named, chat), named)]
        return []

    def _last_named(self, chat: Chat, spoken: str) -> Editable | None:
        found = self._named.findall(spoken)
        return field_called(found[-1], chat) if found else None

    def _quoted(self, plain: str, match: re.Match[str]) -> bool:
        return QUOTED.match(plain[match.start("value") : match.end("value")].strip()) is not None

    def _said(self, plain: str, match: re.Match[str]) -> str:
        """The value's words as they were written, without quotes and courtesies."""
        start, end = match.span("value")
        value = plain[start:end].strip()
        quoted = QUOTED.match(value)
        if quoted:
            return quoted[0][1:-1].strip()
        return _POLITE.sub("", value).strip().rstrip(".!?").strip()
