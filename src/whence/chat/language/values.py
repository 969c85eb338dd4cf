"""Values of a change: read from its words by the field's own type, or refused in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any

from whence.chat.language import reading
from whence.chat.language.amounts import amounts_in
from whence.chat.language.concluded import concluded_claim, concluded_names
from whence.chat.language.date_shifts import DateShift
from whence.chat.language.number_words import in_digits
from whence.chat.language.slots import Slot
from whence.chat.language.vocabulary import POLITE_END, Operation
from whence.chat.offer import Editable
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid
from whence.kernel.words import NUMBERS

_REST = re.compile(
    r"(?:,|\s+and|\s+but)\s+leave\s+(?:the rest|everything|all).*\Z|(?<=[.!?])\s+[^.!?]*\?\s*\Z",
    re.I | re.S,
)
_NOT_THAT = re.compile(
    r"(?:,\s*(?:not|it|that|this|because|since|as)\b|\s+(?:instead of|rather than|because|"
    r"not)\b).*\Z"
    r"|\s+(?:field|as well|too)\W*\Z",
    re.I | re.S,
)
_ON_THIS = re.compile(r"\s+(?:on|for|to|in)\s+(?:this|that)(?:\s+(?:one|item|record))?\s*\Z", re.I)
_OTHER = re.compile(r"[\s,]+(?:and\s+|but\s+)?not\s+(?P<other>[^,]+)(?:,.*)?\Z", re.I | re.S)
_REMARK = re.compile(r"\s*(?:[,;(]|\s[–—-]\s)\s*(?!or\b|and\b).*\Z", re.S)
_DENIES = re.compile(
    r"\b(?:not?|never|outside|without|false|(?:is|are|was|does|do|did|has|have|wo|ca)n'?t)\b", re.I
)
_PRONOUN = re.compile(r"\W*(?:it|that|this|so|them|these|those)\W*", re.I)
"""No text of its own: `note that`."""
MAX_CHOICE_WORDS = 4


class Unclear(Invalid):
    """A change lacks its field or its value; name it."""

    def __init__(
        self, message: str, slot: Slot, fields: Sequence[str], *, is_offer: bool = False
    ) -> None:
        super().__init__(message)
        self.slot = slot
        self.is_offer = is_offer
        """It offers field and value, so that a `yes` is enough."""
        self.fields = list(fields)
        """The fields it may be about; one where only the value is missing."""


def label_of(editable: Editable) -> str:
    """What people call the field."""
    return editable.words[0] if editable.words else editable.field.replace("_", " ")


def value_of(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """The value that a slot gives a field, as in the record's JSON; raises Invalid or Unclear."""
    field, record = editable.field, view.record
    if slot.operation is Operation.CLEAR:
        return reading.empty_value(record, field, label_of(editable))
    if slot.shift is not None and reading.takes(record, field, date):
        return _moved(slot.shift, editable, view)
    if reading.takes(record, field, bool):
        return _yes_or_no(slot, editable, view)
    return _stated_value(slot, editable, view)


def _stated_value(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """The value that the words state; raises Invalid or Unclear."""
    field, record, label = editable.field, view.record, label_of(editable)
    is_pronoun = _PRONOUN.fullmatch(slot.value) is not None and not slot.quoted
    if not slot.value.strip(" .!?") or (is_pronoun and reading.is_words(record, field)):
        raise Unclear(f"What should the {label} be?", slot, [field])
    if (concluded := _concluded(slot, editable, view)) is not None:
        return concluded
    if slot.operation is Operation.ADD and not is_number(editable, view):
        return _appended(slot, editable, view)
    if slot.operation is not Operation.SET and is_number(editable, view):
        if not re.search(r"\d", in_digits(slot.value)):
            raise Unclear(f"What should the {label} be?", replace(slot, value=""), [field])
        return _raised_or_lowered(slot, editable, view)
    only_told = reading.is_words(record, field) and slot.is_statement and not slot.quoted
    if only_told and not (_OTHER.search(slot.value) or re.search(r"\d", slot.value)):
        raise Unclear(f"What should the {label} be?", replace(slot, value=""), [field])
    text = slot.prose if slot.prose and reading.is_prose(record, field) else slot.value
    return _read(editable, text, view, is_quoted=slot.quoted)


def _read(editable: Editable, text: str, view: RecordView, *, is_quoted: bool = False) -> Any:
    record, field = view.record, editable.field
    if is_quoted:
        return as_value(editable, text, view)
    if is_number(editable, view):
        return _read_number(editable, text, view)
    if reading.takes(record, field, date):
        with suppress(Invalid):
            return as_value(editable, text.strip(" .!?"), view)
    words = _REST.sub("", text)
    if not reading.is_prose(record, field):
        if not reading.is_words(record, field):
            words = _NOT_THAT.sub("", words)
        elif (other := _OTHER.search(words)) and _has_words(editable, view, other["other"]):
            words = words[: other.start()]
        words = _ON_THIS.sub("", without_rest(words))
    words = words.strip().rstrip(".!?").strip() or words
    try:
        return as_value(editable, words, view)
    except Invalid as refusal:
        if reading.is_words(record, field):
            raise
        for shorter in (_REMARK.sub("", words), words.removeprefix("on ")):
            if shorter != words:
                try:
                    return as_value(editable, shorter, view)
                except Invalid:
                    continue
        if reading.has_choices(record, field) and (match := choice_in(editable, words, view)):
            return match[0]
        raise refusal


def _read_number(editable: Editable, text: str, view: RecordView) -> Any:
    """A number among other words: `about 140`, `2, not 1`; several are never guessed from."""
    words = in_digits(text)
    amounts = amounts_in(words)
    if len(amounts) == 1:
        return as_value(editable, amounts[0].text, view)
    words = without_rest(_NOT_THAT.sub("", words))
    counted = [each for each in re.findall(r"\w+", words.lower()) if each in NUMBERS]
    return as_value(editable, counted[0] if len(counted) == 1 else words, view)


def as_value(editable: Editable, words: str, view: RecordView) -> Any:
    """These words as the field's value, by the pack or the field's type; raises Invalid."""
    if editable.read is not None:
        return editable.read(words, view)
    label = label_of(editable)
    return reading.read_value(view.record, editable.field, words, view.at.date(), label)


def _has_words(editable: Editable, view: RecordView, words: str) -> bool:
    """Whether a field contains these words now, so that `not XM3` names the old value."""
    now = str(getattr(view.record, editable.field, None) or "").lower()
    sought = words.strip(" .!?\"'").lower()
    return sought == now or (sought in now and any(map(str.isdigit, sought)))


def without_rest(words: str) -> str:
    """A value without polite words and what is said after it."""
    shorter = POLITE_END.sub("", re.sub(r"(?<=[^.\s])[.!?]+\s+\S.*\Z", "", words, flags=re.S))
    return shorter.strip().rstrip(".!?").strip() or words


def _moved(shift: DateShift, editable: Editable, view: RecordView) -> Any:
    """The day that the record has, moved by a span."""
    now = getattr(view.record, editable.field)
    if now is None:
        label = label_of(editable)
        raise Invalid(f"The {label} is not known yet, so it cannot be moved; say the day itself.")
    day = now if isinstance(now, date) else date.fromisoformat(now)
    return shift.apply(day).isoformat()


def _yes_or_no(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """A yes or no: the value's own, or whether the words deny the field (`not in California`)."""
    try:
        return as_value(editable, slot.value.strip(" .!?"), view)
    except Invalid:
        if slot.value.strip(" .!?") and not slot.is_statement:
            raise
        return _DENIES.search(slot.words) is None


def _concluded(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """What research concludes, or a figure above or below it; None if the words name no claim."""
    names = concluded_names(slot.value, editable)
    amounts = amounts_in(in_digits(slot.value))
    if len(names) != 1 or len(amounts) > 1:
        return None
    value = concluded_claim(names[0], editable, view).value
    if not amounts:
        return value
    if slot.operation is Operation.SET:
        return None
    record = view.record.model_copy(update={editable.field: value})
    return _raised_or_lowered(slot, editable, replace(view, record=record))


def _raised_or_lowered(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """`raise the price by 10%`: computed from the record, rounded to cents.

    Of `drop it 20` and `drop it 120` only the size tells whether that is a difference.
    """
    now = getattr(view.record, editable.field, None)
    label = label_of(editable)
    amounts = amounts_in(in_digits(slot.value))
    if not amounts or slot.relative is False:
        return _read(editable, slot.value, view)
    has_number = isinstance(now, int | float | reading.Decimal) and not isinstance(now, bool)
    if not has_number:
        if slot.relative is None:
            return _read(editable, slot.value, view)
        raise Invalid(f"The {label} has no number yet; what should it be?")
    before, amount = reading.Decimal(str(now)), amounts[0]
    if amount.percent is not None:
        step = before * amount.percent / 100
    else:
        step = reading.read_amount(amount.text, label, getattr(view.record, "currency", None))
        if slot.relative is None and step > before / 2:
            return _read(editable, slot.value, view)
    after = before - step if slot.operation is Operation.DOWN else before + step
    rounded = after.quantize(reading.Decimal("0.01")).normalize()
    return reading.valid(type(view.record), editable.field, rounded, slot.value, label)


def _appended(slot: Slot, editable: Editable, view: RecordView) -> Any:
    """`add a note: …`: appended to a text or a list."""
    field, now = editable.field, getattr(view.record, editable.field, None)
    kind = type(view.record)
    text = slot.prose if slot.prose and reading.is_prose(view.record, field) else slot.value
    words = slot.value if slot.quoted else text.strip().rstrip(".!?")
    if isinstance(now, Sequence) and not isinstance(now, str):
        more = reading.read_value(view.record, field, words, view.at.date())
        return reading.valid(kind, field, [*now, *(m for m in more if m not in now)], words)
    if isinstance(now, str) and now and reading.takes(view.record, field, str):
        between = "\n" if reading.is_prose(view.record, field) else " "
        return reading.valid(kind, field, f"{now}{between}{words}", words)
    return _read(editable, words, view, is_quoted=slot.quoted)


def is_number(editable: Editable, view: RecordView) -> bool:
    """Whether the field holds a number."""
    return reading.takes(view.record, editable.field, int, float, reading.Decimal)


def choice_in(editable: Editable, words: str, view: RecordView) -> tuple[Any, str] | None:
    """The choice that some of the words name, the longest first, and the other words."""
    tokens = re.sub(r",|\s[–—-]\s", " ", words).split()
    for n in range(min(MAX_CHOICE_WORDS, len(tokens)), 0, -1):
        for at in range(len(tokens) - n + 1):
            phrase = " ".join(tokens[at : at + n]).strip(" .!?")
            if not phrase or re.search(r"\d", phrase) or phrase.lower() in reading.NOTHING:
                continue
            try:
                value = as_value(editable, phrase, view)
            except Invalid:
                continue
            return value, " ".join([*tokens[:at], *tokens[at + n :]])
    return None
