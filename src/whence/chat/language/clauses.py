"""Splits a message that asks for changes: for each change, the words for the field and the value.

Quoted values are masked first, so that no word inside them is taken for a field or an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from whence.chat.language.clause_forms import Forms
from whence.chat.language.form_words import DONE, Operation
from whence.chat.language.number_words import numbers_in_words
from whence.chat.language.spelling import (
    QUOTED,
    correct_field_words,
    correct_spelling,
    editable_words,
    find_field,
)
from whence.chat.offer import Chat, Editable


@dataclass(frozen=True)
class Clause:
    """One change in the words of the message."""

    words: str
    operation: Operation
    value: str
    field: Editable | None = None
    """None if no field of the pack was named."""
    unknown_name: str = ""
    """What was named instead."""
    quoted: bool = False
    """The value was quoted, so it is used letter for letter."""
    last_mentioned: Editable | None = None
    """The field mentioned last, which `it` may refer to."""
    is_money: bool = False
    """The value is a price: `sell it for 40`."""
    is_statement: bool = False
    """The clause describes the field and does not ask for a change: `the title is too long`."""


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
    parsed = _clauses(plain, chat)
    if (
        not any(each.field for each in parsed)
        and (corrected := correct_field_words(plain, chat)) != plain
    ):
        return _clauses(corrected, chat)
    return parsed


def _clauses(plain: str, chat: Chat) -> list[Clause]:
    masked = QUOTED.sub(lambda match: "\ufffc" * len(match[0]), plain)
    lowered = masked.lower()
    corrected = correct_spelling(lowered, chat, ())
    if len(corrected) == len(lowered):
        lowered = corrected
    for number in numbers_in_words(lowered):
        if number.text != "one":
            digits = "9" * len(number.text)
            lowered = f"{lowered[: number.start]}{digits}{lowered[number.end :]}"
    reader = _reader("|".join(editable_words(chat)) or r"(?!)")
    parsed: list[Clause] = []
    for start, end in _parts(lowered, reader):
        parsed += reader.read(chat, plain[start:end], lowered[start:end], lowered[:start])
    return parsed


@lru_cache(maxsize=64)
def _reader(fields: str) -> _Reader:
    return _Reader(fields)


def _parts(spoken: str, reader: _Reader) -> Iterator[tuple[int, int]]:
    """Where each change begins and ends: at a stop, comma or `and` before the next change."""
    start = 0
    for match in re.finditer(_ENDS, spoken):
        if match.start() >= start and reader.begins(spoken[match.end() :]):
            yield start, match.start()
            start = match.end()
    yield start, len(spoken)


class _Reader:
    """Reads the parts of a message with a pack's words for its fields."""

    def __init__(self, fields: str) -> None:
        self._forms = Forms(fields)

    def begins(self, spoken: str) -> bool:
        """Whether a change begins here."""
        return self._forms.begins.match(spoken) is not None

    def read(self, chat: Chat, plain: str, spoken: str, before: str) -> list[Clause]:
        """The change in one part, or none; `before` is the text before that part."""
        words = plain.strip()
        for way, form in self._forms.forms:
            if match := form.fullmatch(spoken):
                field = find_field(self._field_words(match), chat)
                value = self._value_text(plain, match)
                return [Clause(words, way, value, field, quoted=self._quoted(plain, match))]
        return self._without_field(chat, plain, spoken, before) or self._read_statement(
            chat, plain, spoken
        )

    def _without_field(self, chat: Chat, plain: str, spoken: str, before: str) -> list[Clause]:
        """A change whose field follows from its verb, its value or the text before."""
        words = plain.strip()
        if match := self._forms.renamed.fullmatch(spoken):
            field = next(
                (e for e in chat.editable if {"title", "name"} & {*e.words, e.field}), None
            )
            if field is not None:
                value, quoted = self._value_text(plain, match), self._quoted(plain, match)
                return [Clause(words, Operation.SET, value, field, quoted=quoted)]
        if match := self._forms.asked.fullmatch(spoken):
            group = "wanted" if match["wanted"] else "value"
            spoken_of = self._last_mentioned(chat, before)
            value = self._value_text(plain, match, group)
            return [Clause(words, Operation.SET, value, last_mentioned=spoken_of, is_money=True)]
        if match := self._forms.done.fullmatch(spoken):
            return [Clause(words, Operation.SET, DONE[match["verb"]])]
        for way, form in self._forms.unnamed:
            if match := form.fullmatch(spoken):
                spoken_of = self._last_mentioned(chat, before + spoken[: match.start("value")])
                return [
                    Clause(words, way, self._value_text(plain, match), last_mentioned=spoken_of)
                ]
        return []

    def _read_statement(self, chat: Chat, plain: str, spoken: str) -> list[Clause]:
        """`the price is 40`, an unknown field, or a field without a value."""
        words = plain.strip()
        if match := self._forms.stated.fullmatch(spoken):
            field = find_field(match["field"], chat)
            return [
                Clause(
                    words, Operation.SET, self._value_text(plain, match), field, is_statement=True
                )
            ]
        if match := self._forms.other.fullmatch(spoken):
            unknown_name = match["named"].strip()
            known_field = self._forms.named.match(unknown_name)
            field = find_field(known_field[0] if known_field else unknown_name, chat)
            return [Clause(words, Operation.SET, "", field, unknown_name)]
        return []

    def _field_words(self, match: re.Match[str]) -> str:
        groups = match.groupdict()
        return groups["field"] or groups.get("field2") or ""

    def _last_mentioned(self, chat: Chat, spoken: str) -> Editable | None:
        mentions = self._forms.named.findall(spoken)
        return find_field(mentions[-1], chat) if mentions else None

    def _quoted(self, plain: str, match: re.Match[str]) -> bool:
        return QUOTED.match(plain[match.start("value") : match.end("value")].strip()) is not None

    def _value_text(self, plain: str, match: re.Match[str], group: str = "value") -> str:
        """The value as written, without quotes and polite phrases."""
        start, end = match.span(group)
        value = plain[start:end].strip()
        quoted = QUOTED.match(value)
        if quoted:
            return quoted[0][1:-1].strip()
        return _POLITE.sub("", value).strip().rstrip(".!?").strip()
