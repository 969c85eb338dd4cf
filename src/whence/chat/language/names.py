"""Names of values that no field has: `set the colour to red` where a field takes names and values.

What a record has already is meant however it is written: `color` is `Colour`.  A phrase that is no
name, such as `it sold` in `mark it sold to a neighbour`, names nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from whence.chat.language import reading
from whence.chat.language.amounts import amounts_in
from whence.chat.language.number_words import in_digits
from whence.chat.language.slots import Slot
from whence.chat.language.values import as_value, without_rest
from whence.chat.language.vocabulary import Operation
from whence.chat.offer import Chat, Editable
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid

MAX_NAME_WORDS = 3
_NEVER_IN_A_NAME = frozenset(
    {
        *("it", "its", "this", "that", "these", "those", "them", "they", "one", "ones"),
        *("he", "him", "she", "her", "i", "me", "my", "we", "us", "our", "you", "your"),
        *("as", "for", "from", "with", "by", "in", "on", "at", "to", "into", "onto"),
        *("and", "or", "but", "if", "is", "are", "was", "were", "be", "been"),
    }
)
_BRITISH = (("colour", "color"), ("grey", "gray"), ("metre", "meter"), ("litre", "liter"))


def value_by_name(slot: Slot, chat: Chat, view: RecordView) -> tuple[Editable, Any] | None:
    """The field of names and values with what a slot sets in it; None if it sets nothing there."""
    field = next((each for each in chat.editable if each.by_name), None)
    if field is None or slot.operation is not Operation.SET:
        return None
    now: dict[str, str] = getattr(view.record, field.field) or {}
    if slot.unknown_name:
        name, value = slot.unknown_name, slot.value
        known = _known(name, now)
        if known is None and not is_a_name(name, chat, view):
            return None
    else:
        known, value = _leading(slot.value, now)
        if known is None:
            return None
        name = known
    changed = {**now, known or name.lower(): without_rest(value)}
    return field, reading.valid(type(view.record), field.field, changed, slot.value)


def is_a_name(words: str, chat: Chat, view: RecordView) -> bool:
    """Whether some words can be what a value is called: a few, no pronoun, amount or choice."""
    each_word = words.lower().split()
    if len(each_word) > MAX_NAME_WORDS or _NEVER_IN_A_NAME & {*each_word}:
        return False
    return not amounts_in(in_digits(words)) and not _is_choice(words, chat, view)


def _is_choice(words: str, chat: Chat, view: RecordView) -> bool:
    for editable in chat.editable:
        if not reading.has_choices(view.record, editable.field):
            continue
        try:
            as_value(editable, words, view)
        except Invalid:
            continue
        return True
    return False


def _known(name: str, names: Iterable[str]) -> str | None:
    """The name that the record has for it already."""
    return next((each for each in names if _normalized(each) == _normalized(name)), None)


def _leading(words: str, names: Iterable[str]) -> tuple[str | None, str]:
    """The record's own name at the beginning of a value, and what follows: `shelf C1`."""
    for name in sorted(names, key=len, reverse=True):
        pattern = re.escape(_normalized(name)).replace(r"\ ", r"\s+")
        match = re.match(
            rf"(?:the\s+)?{pattern}\s*(?:to\s+|is\s+|[:=]\s*|\s)(?P<value>\S.*)",
            _american(words),
            re.I,
        )
        if match is not None:
            return name, words[-len(match["value"]) :]
    return None, ""


def _normalized(name: str) -> str:
    return _american(" ".join(name.casefold().replace("_", " ").split()))


def _american(words: str) -> str:
    for british, american in _BRITISH:
        words = re.sub(british, american, words, flags=re.I)
    return words
