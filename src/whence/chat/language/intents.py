"""Decides what each part of a message asks for: an answer, a change, research, or nothing.

A classifier decides, trained on the engine's examples and the pack's.  It sees a part without
greetings, with fields, numbers and quotations replaced by what they are, so that an example about
a price teaches it about a hire date.  What is ruled out is no request: `don't …`, `what if …`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from whence.chat.language.classifier import Classifier, features
from whence.chat.language.date_shifts import date_shift
from whence.chat.language.length_limit import readable_part
from whence.chat.language.message_parts import MASK, Part, message_parts
from whence.chat.language.number_words import in_digits
from whence.chat.language.slots import BARE, MODAL, WRONG
from whence.chat.language.small_talk import small_talk
from whence.chat.language.spelling import expand_abbreviations, field_pattern
from whence.chat.language.vocabulary import (
    CHANGED,
    QUESTION_WORDS,
    STRONG_VERB,
    VERB,
    VERB_ALONE,
)
from whence.chat.offer import Chat, Editable


class Intent(StrEnum):
    QUESTION = "question"
    ACTION = "action"
    RESEARCH = "research"
    UNKNOWN = "unknown"
    """Unclear; the chat asks back once."""


EXAMPLES = Path(__file__).parent / "examples.jsonl"
_ANY_RECORD = Chat(
    "records",
    EXAMPLES,
    (),
    editable=(
        Editable("price", ("price", "asking price")),
        *(Editable(each, (each,)) for each in ("condition", "title", "note", "quantity", "state")),
    ),
)
"""What the engine's own examples are about."""
_NUMBER = re.compile(
    r"(?:us)?[$€£]?\s?\d[\d.,'/:-]*\s?(?:%|percent\b|[$€£]|k\b|(?:usd|eur|gbp|bucks|dollars|"
    r"euros?)\b)?"
)
_SEARCH = re.compile(
    r"\b(?:re-?)?(?:search|research|run|check|assess|evaluate|scan|refresh|look|dig|hunt|"
    r"investigat\w*|"
    r"analy[sz]e|redo|comps?|comparables|listings|sales|data|such\w*|cherche\w*|busca\w*|"
    r"recherche\w*)"
)
_NEW = re.compile(
    r"\b(?:again|new|newer|fresh|more|another|updated?|latest|recent|once more|second|further|anew|"
    r"from scratch|encore|nochmal|otra vez|de nuevo|neu)\b"
)
_AMOUNT_ALONE = re.compile(
    r"^(?:about|around|maybe|say|asking)?\s*num\s*(?:obo|ono|ovno|firm|then|flat|or best offer|"
    r"or nearest offer)?\W*$"
)
MIN_QUESTION_WORDS = 4
"""Words from which what is phrased as a question is one; `wait what` may be none."""
SURE = 0.8
"""The probability from which a statement beside a question is a change all the same."""
_ANYTHING = re.compile(rf"[^\W_]|{MASK}")
_DESCRIBES = re.compile(r"\w+ing (?:is|was|are|were|has|makes?|hurts?)\b", re.I)
"""`Lifting is too heavy`: the verb is what the sentence is about."""
_OF_ONESELF = re.compile(r"\W*(?:i|we)(?:'?d| would)? (?:want|like|need|plan|have) to\b", re.I)
"""`I want to quit`: what follows is a plan, unless it is a verb of change."""
_FOR_ONESELF = re.compile(r"\W*(?:can|could|may|might) (?:i|we|she|he|they) (?:get|have)\b", re.I)
_TO_A_VALUE = re.compile(rf"\s*(?::|=|->|→|(?:to|as)\s)\s*(?:[^\W]|{MASK}|[$€£])", re.I)
_OTHER_WISHES = frozenset({Intent.QUESTION, Intent.RESEARCH})
_PAST = re.compile(rf"\b(?:was|were|(?:has|have|had) been) (?:\w+ )?(?:{CHANGED}|{WRONG})\b", re.I)
PRIORITY = (Intent.ACTION, Intent.RESEARCH, Intent.QUESTION)
"""A wrong proposal costs little, as a person has to apply it; so a change wins over research."""


@dataclass(frozen=True)
class Judged:
    """A part of a message with its intent."""

    part: Part
    intent: Intent
    probability: float


def intent_of(text: str, chat: Chat) -> Intent:
    """The intent of the message; UNKNOWN if its words do not decide."""
    return strongest(judge(text, chat))


def strongest(judged: Sequence[Judged]) -> Intent:
    """The intent of a message from those of its parts."""
    intents = {each.intent for each in judged}
    return next((intent for intent in PRIORITY if intent in intents), Intent.UNKNOWN)


def judge(text: str, chat: Chat) -> list[Judged]:
    """The intents of a message's parts, without what was withdrawn in the same message."""
    judged: list[Judged] = []
    if small_talk(text, "") is not None:
        return judged
    for part in message_parts(readable_part(text), chat):
        if part.withdraws:
            judged.clear()
        elif part.is_negated or VERB_ALONE.fullmatch(part.core) or not _ANYTHING.search(part.core):
            judged.append(Judged(part, Intent.UNKNOWN, 1.0))
        elif part.is_hypothetical:
            judged = [each for each in judged if not _is_supposed(each, part)]
            judged.append(Judged(part, Intent.QUESTION, 1.0))
        elif (
            _sets_a_field(part, chat) or _moves_days(part, chat) or _takes_a_conclusion(part, chat)
        ):
            judged.append(Judged(part, Intent.ACTION, 1.0))
        elif BARE.fullmatch(part.text):
            intent = Intent.ACTION if chat.amount_field else Intent.UNKNOWN
            judged.append(Judged(part, intent, 1.0))
        else:
            judged.append(_classified(part, chat))
    insists = any(VERB_ALONE.fullmatch(each.part.core) for each in judged)
    if not insists and any(each.intent in _OTHER_WISHES for each in judged):
        judged = [each for each in judged if not _only_tells(each)]
    return judged


def _sets_a_field(part: Part, chat: Chat) -> bool:
    """`set the price to 40`, `update the note to say: …`: a verb of change, a field and a value."""
    verb = re.match(rf"{STRONG_VERB}\s+(?:(?:the|its|my|this)\s+)?", part.core, re.I)
    field = field_pattern(chat).match(part.core, verb.end()) if verb else None
    return field is not None and _TO_A_VALUE.match(part.core, field.end()) is not None


def _moves_days(part: Part, chat: Chat) -> bool:
    """`push the end out two weeks`, `extend it by a month`."""
    return chat.span is not None and not part.asks and date_shift(part.core) is not None


def _takes_a_conclusion(part: Part, chat: Chat) -> bool:
    """`price it at the target`: a verb, and at the end the name of what research concludes."""
    if part.asks or not VERB.match(part.core):
        return False
    names = "|".join(name for each in chat.editable for name in each.concluded)
    return bool(names) and re.search(rf"\b(?:{names})(?: price)?\W*$", part.core, re.I) is not None


def _classified(part: Part, chat: Chat) -> Judged:
    shares = dict(classifier_for(chat).probabilities(features_of(part, chat)))
    if part.asks:  # a question changes nothing, however many fields and values it names
        shares.pop(Intent.ACTION.value, None)
        if len(part.core.split()) >= MIN_QUESTION_WORDS:
            shares.pop(Intent.UNKNOWN.value, None)
    elif part.lacks_subject:
        shares.pop(Intent.QUESTION.value, None)
    elif _asks_for_something(part):
        return Judged(part, Intent.QUESTION, 1.0)
    label = max(shares, key=lambda each: shares[each])
    return Judged(part, Intent(label), shares[label])


def _asks_for_something(part: Part) -> bool:
    """`Can I get lighter duty?`: phrased as a request, with no value and nothing to be changed."""
    if not part.is_request or not part.text.rstrip().endswith("?"):
        return False
    changes = re.search(rf"[\d{MASK}]|\b(?:{CHANGED})\b", part.core, re.I)
    return changes is None and _FOR_ONESELF.match(part.text) is not None


def _is_supposed(judged: Judged, question: Part) -> bool:
    """Whether a change is only supposed by the same sentence: `set it to 40, would that help?`."""
    return judged.intent is Intent.ACTION and judged.part.sentence == question.sentence


def _only_tells(judged: Judged) -> bool:
    """Whether a part beside a question only says what it is about: `I paid 90 for it, is …?`."""
    part = judged.part
    of_oneself = _OF_ONESELF.match(part.text) is not None and VERB.match(part.core) is None
    asks_for_it = (part.is_request and not of_oneself) or (
        VERB.match(part.core) and not _DESCRIBES.match(part.core)
    )
    unsure = _PAST.search(part.core) is not None or judged.probability < SURE
    return judged.intent is Intent.ACTION and not asks_for_it and unsure


def is_asked(sentence: str, chat: Chat | None = None) -> bool:
    """Whether a sentence asks for an answer and states nothing."""
    for part in message_parts(readable_part(sentence), chat or _ANY_RECORD):
        if part.asks or part.is_hypothetical:
            return True
    return False


def features_of(part: Part, chat: Chat) -> set[str]:
    """What the classifier sees of a part."""
    plain = re.sub(rf"{MASK}+", "quo", field_pattern(chat).sub("fld", part.core))
    text = _NUMBER.sub("num ", in_digits(expand_abbreviations(plain)))
    text = " ".join(re.sub(r"([?!.,:;])", r" \1 ", text).split())
    return features(text, _flags(part, text))


def _flags(part: Part, text: str) -> Iterator[str]:
    field, number = "fld" in text, "num" in text or "quo" in text
    asks, verb = part.asks, VERB.match(part.core)
    strong = re.match(STRONG_VERB, part.core, re.I)
    search = _SEARCH.search(text)
    yield "asks" if asks else "states"
    facts = {
        "request": part.is_request,
        "question mark": "?" in part.text,
        "question word": re.match(QUESTION_WORDS, part.core.replace("'", ""), re.I),
        "strong verb": strong,
        "verb": verb,
        "verb and field": strong and field,
        "verb and number": verb and number,
        "field and number": field and number,
        "field and number, no question": field and number and not asks,
        "field first": re.match(r"(?:the |its |my )?fld\b", text),
        "field is told": re.search(
            rf"\bfld (?:{MODAL}|(?:is|was) (?:\w+ ){{0,2}}?{WRONG}|to |as |at |[:=])", text
        ),
        "amount alone": _AMOUNT_ALONE.match(text),
        "search": search,
        "new": _NEW.search(text),
        "new search": search and _NEW.search(text),
        "new search, no question": search and _NEW.search(text) and not asks,
        "nothing": not (field or number or search or verb or asks),
    }
    yield from (name for name, holds in facts.items() if holds)


_CLASSIFIERS: dict[tuple[str, tuple[Path, ...]], Classifier] = {}


def classifier_for(chat: Chat) -> Classifier:
    """The classifier of the engine's examples and the pack's, trained when first asked for."""
    key = chat.kind, tuple(chat.examples)
    if key not in _CLASSIFIERS:
        examples = list(read_examples(EXAMPLES, _ANY_RECORD))
        for path in chat.examples:
            examples += read_examples(path, chat)
        _CLASSIFIERS[key] = train(examples)
    return _CLASSIFIERS[key]


Example = tuple[Sequence[set[str]], str]
"""What the classifier sees of each part of a message, and the message's intent."""


def read_examples(path: Path, chat: Chat) -> Iterator[Example]:
    """The examples of a file: a text and its intent in each line."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        parts = [
            features_of(part, chat)
            for part in message_parts(row["text"], chat)
            if not (part.is_negated or part.is_hypothetical or part.withdraws)
        ]
        if parts:
            yield parts, Intent(row["intent"]).value


def train(examples: Sequence[Example]) -> Classifier:
    """Learn from messages of one part, then from the part of each longer one that fits best."""
    single = [(parts[0], label) for parts, label in examples if len(parts) == 1]
    first = Classifier(single)
    best = [
        (max(parts, key=lambda each: first.probabilities(each).get(label, 0.0)), label)
        for parts, label in examples
        if len(parts) > 1
    ]
    return Classifier([*single, *best])
