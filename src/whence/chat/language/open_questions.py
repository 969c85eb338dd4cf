"""A question back about a change, and what the next message answers to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.length_limit import readable_part
from whence.chat.language.message_parts import message_parts
from whence.chat.language.spelling import field_pattern, find_field
from whence.chat.language.vocabulary import Operation
from whence.chat.offer import Chat, Editable

ASSENT = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please|please do|go ahead|do it|do that|go on|right|"
    r"exactly|correct|of course|why not|start|start it|yes,? please|yes,? do|ja|oui|sí|si)"
    r"(?:[\s,.!]+(?:please|do|go ahead|that one))*\W*$",
    re.I,
)
MAX_ANSWER = 120
"""Characters of a message that can be nothing but a value or the name of a field."""
_AMOUNT = re.compile(r"\D{0,2}[\d.,]+\s?(?:k|%|[$€£]|[a-z]{3,7})?", re.I)
_OTHER_WISHES = frozenset({Intent.RESEARCH, Intent.QUESTION})
_DISSENT = re.compile(r"^\W*(?:no|nope|nah|nein|non|wrong)\b[\s,.:;]*", re.I)


@dataclass(frozen=True)
class OpenQuestion:
    """A question back about a change, as kept with the answer that asks it."""

    fields: Sequence[str]
    operation: str = Operation.SET.name
    value: str = ""
    """The value whose field is in question; empty where the value is."""
    relative: bool | None = False
    is_correction: bool = False
    """A change was proposed: only a bare value, or `no, 149`, is about it."""

    def as_json(self) -> dict[str, Any]:
        """For an answer's `meta`."""
        return {
            "fields": list(self.fields),
            "operation": self.operation,
            "value": self.value,
            "relative": self.relative,
            "isCorrection": self.is_correction,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """What `as_json` wrote."""
        return cls(
            stored["fields"],
            stored["operation"],
            stored["value"],
            stored["relative"],
            stored.get("isCorrection", False),
        )


def field_and_value(pending: OpenQuestion, text: str, chat: Chat) -> tuple[Editable, str] | None:
    """The field and the value that an answer completes; None if it answers something else."""
    parts = message_parts(readable_part(text), chat)
    if len(text) > MAX_ANSWER or len(parts) != 1 or parts[0].is_negated:
        return None
    words = _DISSENT.sub("", parts[0].written.strip()).strip(" .!")
    named = find_field(re.sub(r"^(?:the|its|my)\s+", "", words, flags=re.I), chat)
    only = field_named(pending.fields[0], chat) if len(pending.fields) == 1 else None
    if pending.value:
        field = named or (only if ASSENT.match(text) else None)
        return (field, pending.value) if field else None
    if only is None or named is not None or not words or parts[0].asks:
        return None
    is_new = field_pattern(chat).search(words) or intent_of(text, chat) in _OTHER_WISHES
    if _AMOUNT.fullmatch(words) or not (pending.is_correction or is_new or ASSENT.match(text)):
        return only, words
    return None


def field_named(name: str, chat: Chat) -> Editable | None:
    return next((each for each in chat.editable if each.field == name), None)
