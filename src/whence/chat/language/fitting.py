"""Which field a value belongs to where no field is named: `make it 145`, `mark it sold`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from whence.chat.language import reading
from whence.chat.language.amounts import amounts_in
from whence.chat.language.concluded import concluded_names
from whence.chat.language.number_words import in_digits
from whence.chat.language.slots import Slot
from whence.chat.language.spelling import words_of
from whence.chat.language.values import Unclear, choice_in, is_number, label_of, value_of
from whence.chat.language.vocabulary import Operation
from whence.chat.offer import Chat, Editable
from whence.chat.record_view import RecordView
from whence.kernel.dates import dates
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

_DIRECTION_ALONE = re.compile(
    r"\W*(?:(?:a (?:bit|little|lot|touch)|much|slightly|way|some) )?(?:cheaper|lower|less|down|"
    r"higher|"
    r"more(?: expensive)?|dearer|pricier|up)\W*",
    re.I,
)


_BY_SOMETHING = re.compile(r"\W*(?:by )?(?:a (?:bit|little|lot|touch)|slightly|some)\W*", re.I)
"""`lower it a bit`: by how much is not said."""
_UNITS = {"hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute", "yrs": "year"}
_MEASURE = re.compile(
    r"\d\s?(?P<unit>hrs?|hours?|mins?|minutes?|seconds?|inch(?:es)?|feet|ft|cm|mm|kg|lbs?|oz|gb|tb|"
    r"mah|watts?|volts?|yrs|years?|months?|weeks?|days?|miles|km|times|scratch\w*|dents?|cracks?)\b",
    re.I,
)


def changeable(chat: Chat) -> str:
    """The fields that can be changed from chat, in the words people use, with an example."""
    if not chat.editable:
        return "Nothing can be changed from this chat."
    names = [label_of(field) for field in chat.editable]
    return f"I can change: {', '.join(names)}. For example: “set the {names[0]} to …”."


def fields_by_value(slot: Slot, chat: Chat, view: RecordView) -> Iterator[tuple[Editable, Any]]:
    """The fields that the value alone identifies: by a choice, and by an amount."""
    last = slot.last_mentioned
    if last and slot.value and (slot.quoted or slot.operation is Operation.ADD):
        yield last, value_of(slot, last, view)
        return
    words, has_choice = slot.value, False
    for editable in chat.editable if slot.operation is Operation.SET else ():
        has_choices = reading.has_choices(view.record, editable.field)
        match = choice_in(editable, words, view) if has_choices else None
        if match is not None and not _is_ordered(words, match[1]):
            value, words = match
            has_choice = True
            yield editable, value
    if not has_choice and not amounts_in(in_digits(words)):
        for editable in chat.editable:
            if len(concluded_names(words, editable)) == 1:
                yield editable, value_of(slot, editable, view)
                return
    rest = replace(slot, value=words)
    if has_choice and not (amounts_in(words) and _amount_field(rest, chat, view)):
        return
    yield _field_of(rest, chat, view, is_offer=slot.is_bare and not has_choice)


def _is_ordered(words: str, rest: str) -> bool:
    """Whether the choice that words begin with is a verb: `forward the letter`."""
    return words.endswith(rest) and reading.is_an_order(words.removesuffix(rest).strip(), rest)


def _field_of(slot: Slot, chat: Chat, view: RecordView, *, is_offer: bool) -> tuple[Editable, Any]:
    """The field whose kind of number the value is, else the one mentioned last."""
    last = slot.last_mentioned
    fitting = [each for each in chat.editable if _fits(each, slot, view)]
    fitting = _replaced(fitting, slot, view) or _best_named(fitting, slot) or fitting
    chosen = last if last in fitting else _amount_field(slot, chat, view)
    chosen = chosen or (fitting[0] if len(fitting) == 1 else None)
    if chosen is None and fitting:
        names = " or the ".join(label_of(each) for each in fitting)
        fields = [each.field for each in fitting]
        raise Unclear(f"Do you mean the {names}? Name the field to change.", slot, fields)
    if chosen is None and last is not None and slot.value:
        chosen = last
    is_bare_direction = _DIRECTION_ALONE.fullmatch(slot.value) is not None
    if chosen is None and is_bare_direction:
        slot = replace(slot, value="")
    moves = slot.operation in {Operation.UP, Operation.DOWN} or is_bare_direction
    if chosen is None and moves and _BY_SOMETHING.fullmatch(slot.value):
        slot = replace(slot, value="")
    if chosen is None and moves and not slot.value:
        chosen = next((each for each in chat.editable if each.field == chat.amount_field), None)
    if chosen is None and (day := _day_in(slot)):
        days = [each for each in chat.editable if reading.takes(view.record, each.field, date)]
        if days:
            names = " or the ".join(label_of(each) for each in days)
            raise Unclear(
                f"Which day is {day}: the {names}? Name the field to change.",
                replace(slot, value=day, operation=Operation.SET),
                [each.field for each in days],
            )
    if chosen is None:
        if not slot.value or slot.is_vague:
            raise Invalid(f"I did not understand what to change. {changeable(chat)}")
        raise Invalid(f"I cannot tell which field {quoted(slot.value)} is for. {changeable(chat)}")
    value = value_of(slot, chosen, view)
    if is_offer:
        question = f"Should the {label_of(chosen)} be {slot.value.strip(' .?!')}?"
        raise Unclear(question, slot, [chosen.field], is_offer=True)
    return chosen, value


def _day_in(slot: Slot) -> str | None:
    """The day that the words of a change name: `she brought it on March 20`."""
    days = [each for each in dates(slot.words.title()) if any(day[2] for day in each.readings)]
    return days[0].text if len(days) == 1 else None


def _replaced(fitting: list[Editable], slot: Slot, view: RecordView) -> list[Editable]:
    """The fields whose value now is the one that the words rule out: `1,250, not 1,300`."""
    amounts = amounts_in(in_digits(slot.value), ruled_out=True)
    old = {reading.read_amount(each.text, "", None) for each in amounts if each.percent is None}
    return [each for each in fitting if getattr(view.record, each.field) in old]


def _best_named(fitting: list[Editable], slot: Slot) -> list[Editable]:
    """The field most of whose words occur: `she worked 1,180 hours` names the hours worked."""
    occurring = {*re.findall(r"[^\W\d]{4,}", slot.words.lower())}
    named = {
        each.field: len(occurring & {*re.findall(r"\w+", " ".join(each.words).lower())})
        for each in fitting
    }
    most = max(named.values(), default=0)
    best = [each for each in fitting if named[each.field] == most]
    return best if most and len(best) == 1 else []


def _amount_field(slot: Slot, chat: Chat, view: RecordView) -> Editable | None:
    """The pack's field for bare amounts, if the value fits it."""
    field = next((each for each in chat.editable if each.field == chat.amount_field), None)
    if field is None:
        return None
    has_none = getattr(view.record, field.field, None) is None
    if has_none and slot.relative and slot.operation in {Operation.UP, Operation.DOWN}:
        return field  # it has no number to start from, which is said; no other field is meant
    return field if _fits(field, slot, view) else None


def _fits(editable: Editable, slot: Slot, view: RecordView) -> bool:
    """Whether the value is one of this field's kind of number.

    Money, a percentage or a decimal number is not a count; a plain whole number fits both.
    """
    field, words = editable.field, in_digits(slot.value)
    if reading.takes(view.record, field, str) or not re.search(r"\d", words):
        return False
    if _day_in(slot) and not re.search(r"\d", _without_days(words)):
        return False
    if _is_measured(words, editable):
        return False
    is_sum = slot.is_money or re.search(
        r"[$€£%]|\d\.\d|\bper ?cent\b|\d\s?k\b|\b(?:bucks|dollars|euros?)\b", words
    )
    if (is_sum and reading.takes(view.record, field, int)) or not is_number(editable, view):
        return False
    return can_be_read(slot, editable, view)


def _is_measured(words: str, editable: Editable) -> bool:
    """Whether the number has a unit that the field's words do not name: `lasts like 4 hrs`."""
    unit = _MEASURE.search(words)
    if unit is None:
        return False
    stem = _UNITS.get(unit["unit"].lower(), unit["unit"].lower().rstrip("s"))
    return not any(stem in word.lower() for word in words_of(editable))


def _without_days(words: str) -> str:
    titled = words.title()
    for day in dates(titled):
        titled = titled.replace(day.text, "")
    return titled


def can_be_value(slot: Slot, editable: Editable, view: RecordView) -> bool:
    if reading.is_words(view.record, editable.field):
        return False
    return can_be_read(slot, editable, view)


def can_be_read(slot: Slot, editable: Editable, view: RecordView) -> bool:
    """Whether the slot has a possible value of the field."""
    try:
        value_of(slot, editable, view)
    except Invalid:
        return False
    return True
