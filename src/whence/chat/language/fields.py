"""Changes that a message asks for: which fields, and their values as the record has them.

`set the asking price to 40 and the condition to good; clear the note` is three changes.  Fields are
found by the pack's words; the pack or the field's own type parses the values.  What cannot be
parsed is refused with a message that names the options; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from whence.chat.language import reading
from whence.chat.language.clauses import Clause, clauses
from whence.chat.language.form_words import Operation
from whence.chat.language.length_limit import require_short
from whence.chat.language.number_words import in_digits
from whence.chat.offer import Chat, Editable
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

_LEAVE_REST = re.compile(
    r"(?:,|\s+and|\s+but)\s+leave\s+(?:the rest|everything|all).*\Z", re.I | re.S
)
_QUESTION_AFTER = re.compile(r"(?<=[.!?])\s+[^.!?]*\?\s*\Z", re.S)
_AND_ANSWER = re.compile(
    r"[\s,]+(?:and|then)\s+(?:also\s+)?(?:tell|show|let|give|explain|say|what|how|why|check|run|"
    r"research|search|look)\b.*\Z",
    re.I | re.S,
)
_NOT_THE_OTHER = re.compile(r"\s+(?:and\s+)?not\s+.*\Z", re.I | re.S)
_NOT_THAT = re.compile(
    r"(?:,\s*(?:not|it|that|this|because|since|as)\b|\s+(?:instead of|rather than|because)\b).*\Z",
    re.I | re.S,
)
_ON_THIS = re.compile(r"\s+(?:on|for|to|in)\s+(?:this|that)(?:\s+(?:one|item|record))?\s*\Z", re.I)
_BESIDES = re.compile(
    r"\s*(?:[,;(]|\s[–—-]\s)\s*(?!or\b|and\b|maybe\b|perhaps\b|to\b)[^\d,]+(?:\s[^\d]+)\Z", re.I
)
"""A remark beside a value that is a number or a choice: `fair, the hinge is cracked`."""
_OTHER = re.compile(r"[\s,]+(?:and\s+|but\s+)?not\s+(?P<other>[^,]+)(?:,.*)?\Z", re.I | re.S)
_SENTENCE_AFTER = re.compile(r"[.!?]+\s+\S.*\Z", re.S)


@dataclass(frozen=True)
class Change:
    """A field and its new value, as in the record's JSON."""

    field: str
    value: Any
    words: str
    """The part of the message that asked for it."""


def changes_in(text: str, chat: Chat, view: RecordView) -> list[Change]:
    """The changes a message asks for, in its order; the last one for a field wins.

    Raises Invalid with a message for the person: for a field that cannot be changed here (and names
    those that can), a value that cannot be parsed, or no field at all.
    """
    require_short(text, chat.kind)
    changes: dict[str, Change] = {}
    refusals: dict[int, tuple[Clause, Invalid]] = {}
    requested = _without_statements(clauses(text, chat), chat, view)
    for position, clause in enumerate(requested):
        try:
            view = _apply_clause(changes, clause, chat, view)
        except Invalid as refusal:
            refusals[position] = clause, refusal
    for clause, refusal in refusals.values():
        if not changes:
            raise refusal
        view = _apply_clause(changes, clause, chat, view)
    if not changes:
        raise Invalid(f"I did not understand what to change. {changeable(chat)}")
    positions = {clause.words: at for at, clause in enumerate(requested)}
    return sorted(changes.values(), key=lambda change: positions[change.words])


def _without_statements(parsed: Sequence[Clause], chat: Chat, view: RecordView) -> list[Clause]:
    """Drop statements about a field if the message also asks for a change.

    `The title is too long. Set the price to 40` sets no title.
    """
    requests = [each for each in parsed if not each.is_statement]
    return [
        each
        for each in parsed
        if not requests
        or not each.is_statement
        or (each.field and _is_value(each, each.field, view))
    ]


def _is_value(clause: Clause, editable: Editable, view: RecordView) -> bool:
    if reading.is_words(view.record, editable.field):
        return False
    return _can_be_read(clause, editable, view)


def _can_be_read(clause: Clause, editable: Editable, view: RecordView) -> bool:
    """Whether the clause has a possible value of the field."""
    try:
        _value_of(clause, editable, view)
    except Invalid:
        return False
    return True


def _apply_clause(
    changes: dict[str, Change], clause: Clause, chat: Chat, view: RecordView
) -> RecordView:
    """Parse one more change; return the view with that change applied.

    So `make it €40 and the currency EUR` uses the new currency, in either order.
    """
    editable = _field_of(clause, chat, view)
    value = _value_of(clause, editable, view)
    changes.pop(editable.field, None)
    changes[editable.field] = Change(editable.field, value, clause.words)
    return replace(view, record=view.record.model_copy(update={editable.field: value}))


def changeable(chat: Chat) -> str:
    """The fields that can be changed from chat, in the words people use, with an example."""
    if not chat.editable:
        return "Nothing can be changed from this chat."
    names = [_label(field) for field in chat.editable]
    return f"I can change: {', '.join(names)}. For example: “set the {names[0]} to …”."


def _field_of(clause: Clause, chat: Chat, view: RecordView) -> Editable:
    if clause.field is not None:
        return clause.field
    if clause.unknown_name:
        raise Invalid(f"I cannot change {quoted(clause.unknown_name)}. {changeable(chat)}")
    if clause.operation is Operation.ADD and clause.last_mentioned is not None:
        return clause.last_mentioned
    fitting = [each for each in chat.editable if _fits(each, clause, view)]
    if clause.last_mentioned in fitting or len(fitting) == 1:
        return clause.last_mentioned if clause.last_mentioned in fitting else fitting[0]
    if fitting:
        names = " or the ".join(_label(each) for each in fitting)
        raise Invalid(f"Do you mean the {names}? Name the field to change.")
    raise Invalid(f"I cannot tell which field {quoted(clause.value)} is for. {changeable(chat)}")


def _fits(editable: Editable, clause: Clause, view: RecordView) -> bool:
    """Whether the value alone identifies this field: one of its choices, or its kind of number.

    Money, a percentage or a decimal number is not a count; a plain whole number fits both.
    """
    field, words = editable.field, in_digits(clause.value)
    if reading.choice(view.record, field, words) is not None:
        return True
    if reading.takes(view.record, field, str) or not re.search(r"\d", words):
        return False
    is_sum = clause.is_money or re.search(r"[$€£%]|\d\.\d|\bper ?cent\b", words)
    if is_sum and reading.takes(view.record, field, int):
        return False
    if not _is_number(editable, view):
        return False
    return _can_be_read(clause, editable, view)


def _value_of(clause: Clause, editable: Editable, view: RecordView) -> Any:
    field, record = editable.field, view.record
    match clause.operation:
        case Operation.CLEAR:
            return reading.empty_value(record, field, _label(editable))
        case Operation.UP | Operation.DOWN:
            return _raised_or_lowered(clause, editable, view)
        case Operation.ADD:
            return _appended(clause, editable, view)
        case Operation.SET:
            if not clause.value:
                raise Invalid(f"What should the {_label(editable)} be?", field=field)
            return _read(editable, clause.value, view, quoted=clause.quoted)


def _read(editable: Editable, text: str, view: RecordView, *, quoted: bool = False) -> Any:
    words = text
    if not quoted:
        words = _without_rest(text, prose=reading.is_prose(view.record, editable.field))
        if not reading.is_words(view.record, editable.field):
            words = _NOT_THE_OTHER.sub("", words)
        elif (other := _OTHER.search(words)) and _has_words(editable, view, other["other"]):
            words = words[: other.start()]
    if _is_number(editable, view):
        words = in_digits(words)
    try:
        return _as_value(editable, words, view)
    except Invalid:
        alone = _BESIDES.sub("", words)
        if quoted or alone == words or reading.is_words(view.record, editable.field):
            raise
        return _as_value(editable, alone, view)


def _as_value(editable: Editable, words: str, view: RecordView) -> Any:
    if editable.read is not None:
        return editable.read(words, view)
    label = _label(editable)
    return reading.read_value(view.record, editable.field, words, view.at.date(), label)


def _has_words(editable: Editable, view: RecordView, words: str) -> bool:
    """Whether a field contains these words now, so that `not XM3` names the old value."""
    now = str(getattr(view.record, editable.field, None) or "").lower()
    sought = words.strip(" .!?\"'").lower()
    return sought == now or (sought in now and any(map(str.isdigit, sought)))


def _without_rest(words: str, *, prose: bool) -> str:
    """A value without what else was said: `2, not 1`, `40. What would that leave me?`."""
    words = _QUESTION_AFTER.sub("", _LEAVE_REST.sub("", words))
    if not prose:
        words = _SENTENCE_AFTER.sub("", _AND_ANSWER.sub("", _NOT_THAT.sub("", words)))
        words = _ON_THIS.sub("", words)
    return words.strip().rstrip(".!?").strip() or words


def _raised_or_lowered(clause: Clause, editable: Editable, view: RecordView) -> Any:
    """`raise the price by 10%`: computed from the record, rounded to cents."""
    now = getattr(view.record, editable.field, None)
    label = _label(editable)
    if isinstance(now, bool) or not isinstance(now, int | float | reading.Decimal):
        raise Invalid(f"The {label} has no number yet; what should it be?")
    words = in_digits(clause.value)
    share = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:%|percent|per cent)", words.strip())
    before = reading.Decimal(str(now))
    if share:
        step = before * reading.Decimal(share[1]) / 100
    else:
        step = reading.read_amount(words, label, getattr(view.record, "currency", None))
    after = before + step if clause.operation is Operation.UP else before - step
    rounded = after.quantize(reading.Decimal("0.01")).normalize()
    return reading.valid(type(view.record), editable.field, rounded, words, label)


def _appended(clause: Clause, editable: Editable, view: RecordView) -> Any:
    """`add a note: …`: appended to a text or a list."""
    field, now = editable.field, getattr(view.record, editable.field, None)
    kind = type(view.record)
    if isinstance(now, Sequence) and not isinstance(now, str):
        more = reading.read_value(view.record, field, clause.value, view.at.date())
        return reading.valid(kind, field, [*now, *(m for m in more if m not in now)], clause.value)
    if isinstance(now, str) and now and reading.takes(view.record, field, str):
        between = "\n" if reading.is_prose(view.record, field) else " "
        return reading.valid(kind, field, f"{now}{between}{clause.value}", clause.value)
    if _is_number(editable, view):
        return _raised_or_lowered(replace(clause, operation=Operation.UP), editable, view)
    return _read(editable, clause.value, view)


def _is_number(editable: Editable, view: RecordView) -> bool:
    return reading.takes(view.record, editable.field, int, float, reading.Decimal)


def _label(editable: Editable) -> str:
    return editable.words[0] if editable.words else editable.field.replace("_", " ")
