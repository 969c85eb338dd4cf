"""Finds the slots of a change in a part of a message: its field, what is done, and the value.

A field is found by the pack's words for it.  The value is what follows the field (`price to 40`,
`condition: good`), or stands before it (`use 40 as the price`), or, where no field is named, the
amount or the choice that is said (`145 obo`, `mark it sold`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from whence.chat.language.date_shifts import DateShift, date_shift
from whence.chat.language.directions import direction
from whence.chat.language.message_parts import MASK, Part, corrected, message_parts
from whence.chat.language.number_words import in_digits
from whence.chat.language.spelling import field_pattern, find_field
from whence.chat.language.vocabulary import (
    CHANGED,
    CLEARED,
    OPERATIONS,
    REMOVED,
    VERB,
    VERB_ALONE,
    VERBS,
    Operation,
)
from whence.chat.offer import Chat, Editable

MODAL = (
    r"(?:should|shall|must|ought\s+to|(?:needs?|has|have|wants?)\s+to|(?:was|is)\s+(?:supposed|"
    r"meant)\s+to|soll(?:te)?|doit|debe)(?:'ve|\s+have)?\s+(?:(?:please|now|also)\s+)?"
)
WRONG = (
    r"(?:wrong|incorrect|mis-?spel(?:led|t)|mis-?typed|mistaken|not\s+(?:right|correct|true)|"
    r"out\s?dated|out\s+of\s+date|missing|falsch)"
)
_IS = r"(?:is|are|was|were|looks|has|got|it's|'s|ist|est|es|sind)"
_ALONG = r"(?:(?:back|down|up|over|out|in|now|field|please|just|actually|really|today)\s+)*"
_TO = (
    r"(?:to\s+(?:be|say|read|become)|to|as|at|into|with|by|so\s+(?:that\s+)?it\s+reads|reads?|"
    r"says?|saying|"
    r"that\s+says|for|of|auf|à|al|au|a(?=\s+[$€£]?\d)|en|zu|on)(?=\s|[:“\"$€£\ufffc])\s*(?::\s*)?|"
    r"(?:[:=]|->|→)\s*"
)
_AFTER = re.compile(
    rf"\s*(?:,\s*(?:it|this|that)(?:'s|\s+is)\s+)?(?:(?:is|'s|was|has|got|"
    rf"are)?\s*(?:\w+\s+){{0,3}}?{WRONG}\b[\s,.:;!-]*)?"
    rf"(?:(?:it|this|that|them)\s+)?{_ALONG}(?:{MODAL})?(?:{_IS}\s+(?!{WRONG}))?(?:(?:be|"
    rf"been)\s+)?{_ALONG}"
    rf"(?:(?:{CHANGED}|come|go|drop|rise|say|read|get)(?=\s)\s*)?{_ALONG}(?:{_TO})?",
    re.I,
)
_BEFORE_FIELD = re.compile(
    r"\s*\b(?:(?:as|for|in|into|on|onto|to|of|off|from|at|with|dans|als)\s+)?"
    r"(?:(?:the|its|my|this|that|a|an|our|his|her|their|asking|der|die|das|den|le|la|el)\s+)*"
    r"(?:(?:very\s+)?(?:end|back|bottom|top)\s+of\s+(?:the\s+)?)?\Z",
    re.I,
)
_PRONOUN = (
    r"(?:(?:it|this|that|them|these|those|the\s+(?:item|record|thing|request|leave)|this\s+one|"
    r"das|es|ihn|lo|le)\b"
    r"\s*(?:one\b\s*)?)?"
)
_BODY = re.compile(
    rf"\s*(?:{_PRONOUN}(?:'s\s+|is\s+)?)(?:{MODAL})?(?:(?:be|been|say|"
    rf"read)\s+)?{_ALONG}(?:(?:{CHANGED})\s+)?"
    rf"(?:(?:down|up|back|over|off)\s+)?(?:{_TO})?",
    re.I,
)
_NOT = re.compile(r"\b(?:not|instead of|rather than)\s.*", re.I)
_NAMED = re.compile(
    r"\s*(?:(?:the|its|my|a|an)\s+)?(?P<name>[^\W\d_][\w -]{1,40}?)\s+(?:to|as|is|"
    r"at)\s+(?P<value>\S.*)",
    re.I,
)
_TITLES = re.compile(r"^(?:rename|retitle|call|nenne|renomme)", re.I)
_DONE = {
    "archive": "archived",
    "publish": "published",
    "unpublish": "unpublished",
    "list": "listed",
}
_SELLS = frozenset({"ask", "sell", "price", "list", "relist"})
_SAYS_ONLY_IT = re.compile(rf"^(?:it|that|this)(?:'s|\s+is|\s+{MODAL}(?:be|say|read))\s+", re.I)
BARE = re.compile(
    r"\W*[$€£]?\s?\d[\d.,]*\s?(?:k|[$€£]|usd|eur|gbp|bucks|dollars|euros?)?[\s?.!]*", re.I
)
"""A part that is nothing but an amount."""


@dataclass(frozen=True)
class Slot:
    """One change in the words of a message."""

    words: str
    operation: Operation
    value: str
    field: Editable | None = None
    """None if no field of the pack was named."""
    unknown_name: str = ""
    """What was named instead."""
    unnamed_value: str = ""
    """The value if that is no name at all: `sold to a neighbour` after `mark it`."""
    relative: bool | None = False
    """The value is a difference; None where its size has to tell."""
    quoted: bool = False
    """The value was quoted, so it is used letter for letter."""
    last_mentioned: Editable | None = None
    """The field mentioned last, which `it` may refer to."""
    is_statement: bool = False
    """The part describes the field and asks for nothing: `the title is too long`."""
    is_money: bool = False
    """A verb of selling says that an amount is a price: `sell it for 40`."""
    is_vague: bool = False
    """No verb of change was used."""
    is_bare: bool = False
    """Nothing but an amount was said: `145?`."""
    start: int = 0
    """Where the value begins in the message."""
    prose: str = ""
    """The value with the sentences after it that ask for nothing of their own."""
    shift: DateShift | None = None
    """The span by which a day moves, where the field holds one: `a week later`."""


def slots(text: str, chat: Chat) -> list[Slot]:
    """The changes that a message asks for, in its order; what it rules out is none."""
    parts = [part for part in message_parts(text, chat) if not part.withdraws]
    asking = [part for part in parts if not (part.is_negated or part.is_hypothetical)]
    if len(asking) > 1:
        asking = [part for part in asking if not VERB_ALONE.fullmatch(part.core)] or asking
    if len(asking) > 1:
        asking = [part for part in asking if not part.asks]
    whole = corrected(text, chat)
    result: list[Slot] = []
    last: Editable | None = None
    for part in asking:
        mentions = list(field_pattern(chat).finditer(part.core))
        if not mentions and (shifted := _shifted_span(part, chat)):
            result += shifted
            continue
        slot = _with_field(part, mentions, chat) if mentions else _without_field(part, chat, last)
        if mentions:
            last = find_field(mentions[0][0], chat)
        previous = result[-1] if result else None
        runs_on = previous and previous.value and not previous.quoted and not mentions
        if previous and runs_on and (slot is None or slot.is_statement):
            end = part.start + len(part.core)
            result[-1] = replace(previous, prose=whole[previous.start : end].strip())
        if slot is None:
            continue
        if (
            previous
            and not previous.value
            and previous.field
            and previous.operation is not Operation.CLEAR
            and slot.field in (None, previous.field)
        ):
            result.pop()  # `the price is wrong, it should be 45`
            slot = replace(slot, field=previous.field, is_statement=False)
        result.append(slot)
    return result


def _with_field(part: Part, mentions: Sequence[re.Match[str]], chat: Chat) -> Slot | None:
    core, mention = part.core, mentions[0]
    editable = find_field(mention[0], chat)
    verb = VERB.match(core)
    operation = OPERATIONS[verb["verb"].lower()] if verb else Operation.SET
    before = core[verb.end() if verb and verb.end() <= mention.start() else 0 : mention.start()]
    first = len(core[: mention.start()]) - len(before)
    after = _AFTER.match(core, mention.end())
    assert after is not None  # every piece is optional
    linked, rest = after[0], core[after.end() :]
    cleared = REMOVED.match(core) or re.search(rf"\b{CLEARED}\W*$", linked + rest, re.I)
    if cleared or (operation is Operation.CLEAR and not re.search(r"\b(?:to|as)\s", linked)):
        return Slot(part.words, Operation.CLEAR, "", editable)
    start = after.end()
    stripped = _BEFORE_FIELD.sub("", before)
    if (
        not rest.strip(" .!?,")
        or _is_counted(stripped, rest)
        or (MASK in stripped and MASK not in rest)
    ):
        lead = _BODY.match(stripped)
        skip = lead.end() if lead else 0
        rest, start = stripped[skip:], first + skip
    around = f"{core[: mention.start()]} {linked} {rest}"
    value, quoted = _value(part, rest, start)
    operation, relative = direction(operation, around, core)
    linked_value = bool(re.search(rf"(?:{_TO})\Z|{MODAL}|\bnow\b", linked, re.I)) or quoted
    says_wrong = re.search(WRONG, linked, re.I) is not None
    direct = not linked.strip() and re.match(r"\s*\S*\d", rest)
    statement = not (verb or linked_value or direct or (says_wrong and not rest.strip()))
    if re.fullmatch(rf"\W*{WRONG}\W*", value, re.I):
        value, statement = "", False
    shift = date_shift(core)
    return Slot(
        part.words,
        operation,
        value,
        editable,
        relative=relative,
        quoted=quoted,
        last_mentioned=editable,
        is_statement=statement and shift is None,
        start=part.start + start,
        shift=shift,
    )


def _is_counted(before: str, after: str) -> bool:
    """Whether a number stands before the field and none after it: `58 employees, not 60`."""
    counted = re.search(r"(?:\d|\bone)\W*\Z", in_digits(before), re.I)
    return counted is not None and not re.search(r"\d", _NOT.sub("", in_digits(after)))


def _shifted_span(part: Part, chat: Chat) -> list[Slot]:
    """The days that move where none is named: the last one, or both."""
    shift = date_shift(part.core)
    if shift is None or chat.span is None:
        return []
    names = chat.span[1:] if shift.length_only else chat.span[: 1 if shift.start_only else 2]
    fields = [each for name in names for each in chat.editable if each.field == name]
    if not shift.length_only and not shift.later:
        fields.reverse()
    value = shift.words
    return [Slot(part.words, Operation.SET, value, each, shift=shift) for each in fields]


def _without_field(part: Part, chat: Chat, last: Editable | None) -> Slot | None:
    core = part.core
    verb = VERB.match(core)
    operation = OPERATIONS[verb["verb"].lower()] if verb else Operation.SET
    if last and (REMOVED.match(core) or operation is Operation.CLEAR):
        return Slot(part.words, Operation.CLEAR, "", last, last_mentioned=last)
    start = verb.end() if verb else 0
    if (
        verb
        and (title := _TITLES.match(core))
        and not re.search(r"^\S+\s+\S+\s+[$€£]?\d\S*$", core)
    ):
        body = _BODY.match(core, title.end())
        begin = body.end() if body else title.end()
        value, quoted = _value(part, core[begin:], begin)
        return Slot(part.words, Operation.SET, value, find_field("title", chat), quoted=quoted)
    body = _BODY.match(core, start)
    begin = body.end() if body else start
    named = _NAMED.match(core, start) if verb and verb["verb"].lower() in VERBS else None
    if named and not re.fullmatch(rf"(?:{_PRONOUN}|{_ALONG})+", named["name"] + " ", re.I):
        value, quoted = _value(part, named["value"], named.start("value"))
        whole = _value(part, core[begin:], begin)[0]
        return Slot(part.words, operation, value, None, named["name"], whole, quoted=quoted)
    value, quoted = _value(part, core[begin:], begin)
    operation, relative = direction(operation, core, core)
    if verb and not value.strip(" .!") and verb["verb"].lower() in _DONE:
        value = _DONE[verb["verb"].lower()]
    if not value.strip(" .!?") and (verb is None or verb["verb"].lower() not in VERBS):
        return None
    statement = verb is None and not (last and _SAYS_ONLY_IT.match(core))
    word = verb["verb"].lower() if verb else ""
    return Slot(
        part.words,
        operation,
        value,
        relative=relative,
        quoted=quoted,
        last_mentioned=last,
        is_statement=statement,
        is_money=word in _SELLS,
        is_vague=word not in VERBS,
        is_bare=BARE.fullmatch(part.text) is not None,
        start=part.start + begin,
    )


def _value(part: Part, rest: str, start: int) -> tuple[str, bool]:
    """The words of a value as written, without its quotes, and whether it was quoted."""
    if (rest.strip(" .,!") and set(rest.strip(" .,!")) == {MASK}) or rest.lstrip().startswith(MASK):
        begin = start + rest.index(MASK)
        end = begin + len(re.match(rf"{MASK}+", part.core[begin:])[0])  # type: ignore[index]
        return part.written[begin + 1 : end - 1].strip(), True
    return part.written[start : start + len(rest)].strip(), False
