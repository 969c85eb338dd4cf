"""Changes that a sentence asks for: which fields, and the values as the record has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from whence.chat.intents import editable_words
from whence.chat.look import Look
from whence.chat.offer import Chat, Editable
from whence.kernel.errors import Invalid


@dataclass(frozen=True)
class Change:
    """A field and the value that it shall have, in JSON as the record has it."""

    field: str
    value: Any
    words: str
    """The part of the message that asked for it."""


def changes_in(text: str, chat: Chat, look: Look) -> list[Change]:
    """The changes that a message asks for, in its order; raises Invalid in words for the person."""
    for word in editable_words(chat):
        match = re.search(rf"\b{word}\b\s*(?:to|as|at|is|=|:|should be)\s+(.+)", text, re.I | re.S)
        if match:
            editable = _named(chat, match[0])
            return [Change(editable.field, _read(editable, match[1].strip(' ."“”'), look), text)]
    raise Invalid(f"I can change: {', '.join(field.words[0] for field in chat.editable)}.")


def _named(chat: Chat, said: str) -> Editable:
    return next(
        field
        for field in chat.editable
        for word in (*field.words, field.field)
        if said.lower().startswith(word.lower())
    )


def _read(editable: Editable, words: str, look: Look) -> Any:
    if editable.read is not None:
        return editable.read(words)
    info = look.kind.record.model_fields[editable.field]
    adapter: TypeAdapter[Any] = TypeAdapter(info.rebuild_annotation())
    try:
        return adapter.dump_python(adapter.validate_python(words.lstrip("$")), mode="json")
    except ValidationError as error:
        raise Invalid(f"{editable.field} cannot be “{words}”.") from error
