"""What a message asks for, as far as rules can tell: one reading for turns and for evaluations.

A question back is remembered: after `What should the price be?` a bare `145` is the value, after
`Do you mean the price or the quantity?` the name of a field is enough, and so is a `yes` after
`Should the price be 145?`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from whence.chat.language import reading, topics
from whence.chat.language.corrections import corrected_value
from whence.chat.language.fields import Change, changes_in, changes_of
from whence.chat.language.intents import Intent, intent_of, judge, strongest
from whence.chat.language.language_detection import is_other_language
from whence.chat.language.length_limit import readable_part
from whence.chat.language.message_parts import corrected, message_parts
from whence.chat.language.open_questions import (
    MAX_ANSWER,
    OpenQuestion,
    field_and_value,
    field_named,
)
from whence.chat.language.out_of_reach import asks_for_help
from whence.chat.language.slots import Slot, slots
from whence.chat.language.small_talk import small_talk
from whence.chat.language.told_facts import told_fact
from whence.chat.language.topics import read_topic
from whence.chat.language.values import Unclear, as_value, choice_in, label_of
from whence.chat.language.vocabulary import POLITE_END, STRONG_VERB, Operation
from whence.chat.offer import Chat
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid
from whence.kernel.text import quoted

UNSURE = 0.5
"""The probability below which a message that is nothing but a choice is one."""
MAX_STATED_WORDS = 8
"""Words of a choice that is stated: `it's for bonding with the new baby`."""
_IT_IS = re.compile(
    r"^(?:(?:it|they|that|this)(?:'?s|'?re| is| are)|is|now|back to|back in|leave (?:is|was))\s+"
    r"(?:(?:now|for|to|back to)\s+)?",
    re.I,
)
_NO_QUESTION = frozenset({Intent.ACTION, Intent.UNKNOWN})
_REFERS = re.compile(r"\b(?:it|them|that|this|those|these|they)\b(?!\W*\w+n'?t)", re.I)
"""What a question beside a change refers to is said in the rest of the message."""
_GIVES_A_VALUE = re.compile(r"[:=\"“]|\b(?:to|saying|that says)\b", re.I)
_ALTERNATIVES = re.compile(r"\w or \w(?!est offer|earest offer)", re.I)
"""`30 days or what`: no value to set."""
_QUESTION_FORM = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|well|then|hey|hi)\W+)*(?:can|could|may|might|must|should|do|does|"
    r"did|is|are|will|would)\s+(?:i|we|she|he|they|it|the|my|her|his|our|this|that)\b"
    r"|\bwhich (?:one|is (?:it|better|right))\b|\bor (?:what|not)\W*$",
    re.I,
)


@dataclass(frozen=True)
class Understanding:
    """What a message asks for."""

    intent: Intent
    changes: Sequence[Change] = ()
    refusal: Invalid | None = None
    """Why a change cannot be proposed: a question back, or what is wrong with it."""
    question: OpenQuestion | None = None
    """The question back, or, after a proposal, what a correction would be about."""
    probability: float = 1.0
    """Of the intent, 0 to 1."""
    asked_beside: str = ""
    """The questions beside a change, in its words."""
    researches: bool = False
    """Research is asked for beside a change."""
    told_beside: str = ""
    """The question whether to add a fact that is told beside a change."""


def understand(
    text: str, chat: Chat, view: RecordView, pending: OpenQuestion | None = None
) -> Understanding:
    """The intent of a message about a record, with the changes it asks for."""
    reading = _understand(text, chat, view, pending)
    if reading.intent is not Intent.ACTION:
        return reading
    beside = judge(text, chat)
    questions = [
        each.part.words
        for each in beside
        if each.intent is Intent.QUESTION
        and (each.part.asks or each.part.is_hypothetical or told_fact(each.part.written) is None)
    ]
    return replace(
        reading,
        asked_beside=text if any(map(_REFERS.search, questions)) else "; ".join(questions),
        researches=any(each.intent is Intent.RESEARCH for each in beside),
    )


def _understand(
    text: str, chat: Chat, view: RecordView, pending: OpenQuestion | None
) -> Understanding:
    if pending is not None and (answered := _answer_to(pending, text, chat, view)) is not None:
        return answered
    if (requested := _asked_by_words(text, chat, view)) is not None:
        return requested
    judged = judge(text, chat)
    intent = strongest(judged)
    probability = max((each.probability for each in judged if each.intent is intent), default=1.0)
    is_open = intent is Intent.UNKNOWN or probability < UNSURE
    refrains = any(each.part.is_negated for each in judged)
    if (change := _stated_change(text, chat, view, is_open)) is not None:
        return _proposed([change], probability)
    if intent in _NO_QUESTION and _answers_a_request(text, chat):
        intent = Intent.QUESTION
    is_topic = intent is not Intent.QUESTION and not refrains
    is_topic = is_topic and _asks_about_a_topic(text, chat, is_open)
    if intent is Intent.ACTION:
        reading = _with_changes(text, chat, view, probability)
        told = _with_facts(reading, text, chat)
        gives_a_value = reading.changes and not _ALTERNATIVES.search(text)
        is_question = is_topic or _is_phrased_as_question(text, reading.refusal)
        if told or gives_a_value or not is_question:
            return told or reading
    if intent is Intent.ACTION or is_topic:
        return Understanding(Intent.QUESTION, probability=probability)
    unread = Understanding(intent, probability=probability)
    told = _with_facts(unread, text, chat) if intent is Intent.UNKNOWN else None
    return told or unread


def _with_facts(reading: Understanding, text: str, chat: Chat) -> Understanding | None:
    """The reading with an offer to add the facts that are told; None where none is told, or what is
    asked for first is still open."""
    field = field_named(chat.facts_field, chat) if chat.facts_field else None
    if field is None:
        return None
    changed = {each.words for each in reading.changes}
    fact = "; ".join(each for each in _told_facts(text, chat, changed))
    is_open = isinstance(reading.refusal, Unclear) and reading.refusal.fields != [field.field]
    if not fact or is_open or field.field in {each.field for each in reading.changes}:
        return None
    slot = Slot(text.strip(), Operation.ADD, fact, field)
    words = f"Should I add {quoted(fact)} to the {label_of(field)}?"
    offer = _asked_back(Unclear(words, slot, [field.field], is_offer=True), reading.probability)
    if not reading.changes:
        return offer
    return replace(reading, question=offer.question, told_beside=words)


def _told_facts(text: str, chat: Chat, changed: Collection[str]) -> Iterator[str]:
    for part in message_parts(readable_part(text), chat):
        is_told = not (part.asks or part.is_hypothetical or part.is_negated or part.withdraws)
        fact = told_fact(part.written) if is_told and part.words not in changed else None
        if fact and not re.match(rf"{STRONG_VERB}\s", fact, re.I):
            yield fact


def _stated_change(text: str, chat: Chat, view: RecordView, is_open: bool) -> Change | None:
    """A change that is stated and not asked for: `it's not black, it's grey`, `sold!`."""
    corrected = corrected_value(text, chat, view) if "?" not in text else None
    return corrected or (_choice_alone(text, chat, view) if is_open else None)


def _is_phrased_as_question(text: str, refusal: Invalid | None) -> bool:
    """Whether what names no field and no value is a question: `can we say no to this`."""
    return not isinstance(refusal, Unclear) and _QUESTION_FORM.search(text) is not None


def _asks_about_a_topic(text: str, chat: Chat, is_open: bool) -> bool:
    """Whether what sounds like no question is one: `we doubt the note, can we send her to ours`."""
    if not chat.topic_examples:
        return False
    reading = read_topic(chat, readable_part(text))
    return reading.topic is not None and (is_open or reading.probability >= topics.SURE)


def _asked_by_words(text: str, chat: Chat, view: RecordView) -> Understanding | None:
    """A request for help, or the change of a field that the pack's own expressions ask for; None if
    it is neither."""
    if asks_for_help(text):
        return Understanding(Intent.QUESTION)
    for part in message_parts(readable_part(text), chat):
        if part.is_hypothetical or part.asks:
            continue
        for editable in chat.editable:
            if not any(re.match(each, part.core, re.I) for each in editable.asked_by):
                continue
            try:
                value = as_value(editable, part.core, view)
            except Invalid as refusal:
                return Understanding(Intent.ACTION, refusal=refusal)
            return Understanding(Intent.ACTION, [Change(editable.field, value, part.words)])
    return None


def _with_changes(text: str, chat: Chat, view: RecordView, probability: float) -> Understanding:
    try:
        return _proposed(changes_in(text, chat, view), probability)
    except Invalid as refusal:
        if is_other_language(text):
            return Understanding(Intent.UNKNOWN, probability=probability)
        if isinstance(refusal, Unclear):
            return _asked_back(refusal, probability)
        named = {each.field.field for each in slots(text, chat) if each.field}
        question = OpenQuestion(list(named)) if len(named) == 1 else None
        return Understanding(Intent.ACTION, (), refusal, question, probability)


def _answers_a_request(text: str, chat: Chat) -> bool:
    """Whether a topic answers what sounds like a change, but gives no value."""
    if _GIVES_A_VALUE.search(text):
        return False
    topics = (topic for topic in chat.topics if topic.answers_requests)
    return any(re.search(word, text, re.I) for topic in topics for word in topic.words)


def _choice_alone(text: str, chat: Chat, view: RecordView) -> Change | None:
    """The change of a message that is nothing but a choice: `sold!`, `it's used - good`."""
    text = corrected(text, chat)
    words = _IT_IS.sub("", POLITE_END.sub("", text.strip())).strip(" .!")
    if len(words) > MAX_ANSWER or "?" in text or small_talk(text, "") is not None:
        return None
    for editable in chat.editable:
        if not reading.has_choices(view.record, editable.field):
            continue
        if words != text.strip() and len(words.split()) <= MAX_STATED_WORDS:
            for stated in (words, words.split(",")[0]):
                with suppress(Invalid):
                    return Change(editable.field, as_value(editable, stated, view), text.strip())
        match = choice_in(editable, words, view)
        if match is not None and not match[1].strip(" -–,"):
            return Change(editable.field, match[0], text.strip())
    return None


def _answer_to(
    pending: OpenQuestion, text: str, chat: Chat, view: RecordView
) -> Understanding | None:
    """The change that an answer to a question back completes; None if it answers something else."""
    meant = field_and_value(pending, text, chat)
    if meant is None:
        return None
    field, value = meant
    operation = Operation[pending.operation]
    slot = Slot(text.strip(), operation, value, field, relative=pending.relative)
    try:
        changes = list(changes_of(slot, chat, view))
    except Unclear as unclear:
        return _asked_back(unclear, 1.0)
    except Invalid as refusal:
        if intent_of(text, chat) is Intent.ACTION:
            return None
        question = None if pending.is_correction else OpenQuestion([field.field], pending.operation)
        return Understanding(Intent.ACTION, refusal=refusal, question=question)
    return _proposed(changes, 1.0)


def _proposed(changes: Sequence[Change], probability: float) -> Understanding:
    last = changes[-1]
    relative = None if last.operation is not Operation.SET else False
    correction = OpenQuestion([last.field], last.operation.name, "", relative, is_correction=True)
    return Understanding(Intent.ACTION, changes, question=correction, probability=probability)


def _asked_back(unclear: Unclear, probability: float) -> Understanding:
    slot = unclear.slot
    value = "" if len(unclear.fields) == 1 and not unclear.is_offer else slot.value
    question = OpenQuestion(unclear.fields, slot.operation.name, value, slot.relative)
    return Understanding(Intent.ACTION, refusal=unclear, question=question, probability=probability)
