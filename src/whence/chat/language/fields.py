"""Changes that a message asks for: which fields, and their values as the record has them.

`set the asking price to 40 and the condition to good; clear the note` is three changes.  Fields are
found by the pack's words; the pack or the field's own type parses the values.  What cannot be
parsed is refused with a message that names the options; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from whence.chat.language import reading
from whence.chat.language.concluded import concluded_names
from whence.chat.language.fitting import can_be_read, can_be_value, changeable, fields_by_value
from whence.chat.language.length_limit import require_short
from whence.chat.language.names import is_a_name, value_by_name
from whence.chat.language.slots import Slot, slots
from whence.chat.language.spelling import field_pattern
from whence.chat.language.told_facts import told_fact
from whence.chat.language.values import (
    choice_in,
    is_number,
    value_of,
)
from whence.chat.language.vocabulary import Operation
from whence.chat.offer import Chat, Editable
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

_CHOICE_BESIDE = re.compile(
    r"\b(?:say|its|it's|it is|they're|they are|in|a|an|only|just|still|really|actually|more|like|"
    r"but|is|now)\b|\W+",
    re.I,
)
"""Says nothing beside a choice: `it's only …`."""
_LINKED = r"\s*(?:[:=]|(?:'s|is|are|was|should|has|got)\b)"
_STATES_A_VALUE = re.compile(r"\W*(?:it|they)(?:'?s|'?re| is| are)\b", re.I)


@dataclass(frozen=True)
class Change:
    """A field and its new value, as in the record's JSON."""

    field: str
    value: Any
    words: str
    """The part of the message that asked for it."""
    claims: tuple[str, ...] = ()
    """Paths of the claims that conclude the value."""
    operation: Operation = Operation.SET
    """What a correction does again: after `5 cheaper`, `no, 10` is 10 off."""


def changes_in(text: str, chat: Chat, view: RecordView) -> list[Change]:
    """The changes a message asks for, in its order; the last one for a field wins.

    Raises Invalid with a message for the person: for a field that cannot be changed here (and names
    those that can), a value that cannot be parsed, or no field at all; and Unclear.
    """
    require_short(text, chat.kind)
    requested = slots(text, chat)
    if chat.facts_field is not None:
        requested = [each for each in requested if not _only_tells(each, chat, view)]
    demanded = [each for each in requested if not each.is_statement]
    if demanded or len(requested) > 1:
        stated = [each for each in requested if _states_a_value(each, chat, view)]
        requested = [each for each in requested if each in demanded or each in stated] or requested
        requested = [replace(each, is_bare=False) for each in requested]
    changes: dict[str, Change] = {}
    refusals: list[tuple[Slot, Invalid]] = []
    for slot in requested:
        try:
            view = _apply(changes, slot, chat, view)
        except Invalid as refusal:
            refusals.append((slot, refusal))
    for slot, refusal in refusals:
        if not changes:
            raise refusal
        if slot.is_statement and slot.field is None:
            continue  # told beside a change: `the pads are torn, condition is fair`
        view = _apply(changes, slot, chat, view)
    if not changes:
        raise Invalid(f"I did not understand what to change. {changeable(chat)}")
    order = [each.words for each in requested]
    return sorted(changes.values(), key=lambda change: order.index(change.words))


def _apply(changes: dict[str, Change], slot: Slot, chat: Chat, view: RecordView) -> RecordView:
    """Parse one more slot; return the view with its changes applied.

    So `make it €40 and the currency EUR` uses the new currency, in either order.
    """
    for change in changes_of(slot, chat, view):
        changes.pop(change.field, None)
        changes[change.field] = change
        record = view.record.model_copy(update={change.field: change.value})
        view = replace(view, record=record)
    return view


def changes_of(slot: Slot, chat: Chat, view: RecordView) -> Iterator[Change]:
    """The changes of a slot; raises Invalid or Unclear."""
    for editable, value in _values_of(slot, chat, view):
        claims = tuple(editable.concluded[name] for name in concluded_names(slot.value, editable))
        moves = slot.relative is not False and is_number(editable, view) and not claims
        operation = slot.operation if moves else Operation.SET
        yield Change(editable.field, value, slot.words, claims, operation)


def _values_of(slot: Slot, chat: Chat, view: RecordView) -> Iterator[tuple[Editable, Any]]:
    """The fields that a slot sets, with their values; raises Invalid or Unclear."""
    if slot.field is not None:
        yield slot.field, value_of(slot, slot.field, view)
        yield from _choices_beside(slot, slot.field, chat, view)
        return
    if (by_name := value_by_name(slot, chat, view)) is not None:
        yield by_name
        return
    if slot.unknown_name and is_a_name(slot.unknown_name, chat, view):
        raise Invalid(f"I cannot change {quoted(slot.unknown_name)}. {changeable(chat)}")
    if slot.unknown_name:
        slot = replace(slot, value=slot.unnamed_value, unknown_name="", quoted=False)
    yield from fields_by_value(slot, chat, view)


def _choices_beside(
    slot: Slot, field: Editable, chat: Chat, view: RecordView
) -> Iterator[tuple[Editable, Any]]:
    """The choices that are listed beside a number: `used, 3 pieces`."""
    listed = [each.strip() for each in slot.value.split(",")]
    if len(listed) < 2 or slot.operation is Operation.CLEAR or not is_number(field, view):
        return
    for words in listed:
        for editable in chat.editable:
            has_choices = reading.has_choices(view.record, editable.field)
            match = choice_in(editable, words, view) if has_choices else None
            if match is not None and not match[1].strip():
                yield editable, match[0]


def _only_tells(slot: Slot, chat: Chat, view: RecordView) -> bool:
    """Whether a slot is but a fact that somebody tells: `it has 2 scratches`."""
    if not slot.is_statement or told_fact(slot.words) is None:
        return False
    if value_by_name(slot, chat, view) is not None:
        return False
    if slot.field is not None:
        named = rf"{field_pattern(chat).pattern}{_LINKED}"
        is_stated = re.search(named, slot.words, re.I) or can_be_value(slot, slot.field, view)
        return not is_stated
    return _STATES_A_VALUE.match(slot.words) is None


def _states_a_value(slot: Slot, chat: Chat, view: RecordView) -> bool:
    """Whether what is stated beside a change is one too: `…, color is blue`, `…, it's like new`."""
    if slot.field is not None:
        is_prose = reading.is_prose(view.record, slot.field.field)
        return not is_prose and can_be_read(slot, slot.field, view)
    if slot.is_bare:
        return chat.amount_field is not None
    if value_by_name(slot, chat, view) is not None:
        return True
    matches = (
        choice_in(each, slot.value, view)
        for each in chat.editable
        if reading.has_choices(view.record, each.field)
    )
    return any(match is not None and not _CHOICE_BESIDE.sub("", match[1]) for match in matches)
