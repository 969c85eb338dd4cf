"""Finds the intent of a message by rules: general English and the pack's own words, no model.

A message may ask for several things; a change wins over research, and research over a question.  A
wrong proposal costs little, as a person has to apply it, but a question about advice or about a
consequence (`what would happen if I set it to 40?`) remains a question.
"""

from __future__ import annotations

import re
from enum import StrEnum

from whence.chat.language.imperatives import (
    ANSWER_VERBS,
    VERBS,
    Request,
    request_of,
    wants_a_new_search,
)
from whence.chat.language.length_limit import readable_part
from whence.chat.language.message_parts import Part, message_parts, part_of
from whence.chat.language.number_words import in_digits
from whence.chat.language.obligations import (
    CHANGED,
    CLEARED,
    COMES,
    DOWN_BY,
    INTO,
    MODAL,
    NEEDS,
    UP_BY,
)
from whence.chat.language.spelling import correct_spelling, editable_words, expand_abbreviations
from whence.chat.language.verbless_requests import asks_for_research
from whence.chat.offer import Chat


class Intent(StrEnum):
    QUESTION = "question"
    ACTION = "action"
    RESEARCH = "research"
    UNKNOWN = "unknown"
    """Unclear; the chat asks back once."""


_ASKING = re.compile(
    r"^(?:what|what'?s|which|who|who'?s|whom|whose|when|where|where'?s|why|how|how'?s|is|isn't|"
    r"are|aren't|am|was|were|do (?!it\b|[$€£]?\d)|does|did|don't (?:you|i|they)|doesn't|didn't|has|"
    r"have (?!another|a |the )|had|hasn't|can|can't|could|couldn't|"
    r"should(?! (?:be|say|read)\b)|shouldn't|shall|"
    r"will|won't|would|wouldn't|may|might|any|anything|i(?:'d| would) like to know|i (?:want|"
    r"need) to know|"
    r"i wonder|suppose|say i|if|in case|whether|versus|estimate)\b"
)
_WONDERING = re.compile(
    r"\b(?:wonder(?:ing)?|curious|confused|puzzled|(?:no|any) idea|"
    r"(?:do not|don't|didn't|can't|cannot) (?:understand|get|see|know|follow|remember)|"
    r"(?:not|un|never) ?(?:sure|certain|clear)(?= (?:about|what|which|why|how|if|whether|when|"
    r"where|who|of)\b))\b"
)
_ADVICE = re.compile(
    r"\b(?:what (?:would|will|could|might) (?:happen|change|it|that|this|i)|what if|"
    r"should (?:i|we)|do you think|would (?:it|that|this) (?:be|help|make|work|hurt|matter)|"
    r"if you were me|in my place|"
    r"would (?:you|i) (?:recommend|suggest|get)|"
    r"(?:is|was|would) (?:it|that|this) (?:ok|okay|wise|worth|better|possible|smart|a good idea|"
    r"safe)|"
    r"any reason (?:to|not)|worth it)\b"
)
_OUGHT = (
    r"(?:should|shall|must|ought to|needs? to|has to|was (?:supposed|meant) to|is (?:supposed|"
    r"meant) to|"
    r"to)(?:'ve| have)?\s+(?:be|been|say|said|read|become)\b"
)
_WRONG = (
    r"(?:wrong|incorrect|not (?:right|correct|true)|mis-?spel(?:led|t)|mis-?typed|mistaken|"
    r"a (?:typo|mistake)|out ?dated|out of date)"
)
_CORRECTED = re.compile(r"^(?:no|actually|correction|in fact|wrong|sorry)\b|\bactually\b")
_PASSIVE = re.compile(
    r"^(?:can|could|may|might) (?:the |its |my )?(?:\w+ ){1,3}?(?:please |kindly )?be \w+ (?:to|"
    r"as|at|by)\b"
)
_THIS = r"(?:it|this|that|they|these|(?:the|this|that) (?:item|one|record))"
_DONE_TO_IT = re.compile(
    rf"^{_THIS} {MODAL} (?:be|been) (?:{CHANGED}(?:{INTO}|\s+by)\s+\S|(?:marked|archived|"
    r"published|unpublished|delisted)\b)"
    rf"|^{_THIS} {MODAL} (?:{COMES}|{DOWN_BY}|{UP_BY})\s+\S"
)
_WRITING = r"(?:changing|updating|editing|correcting|adjusting|modifying|amending|a correction)"
"""What is done to text; `replacing` is missing because a strap may need it too."""
_NEEDS_IT = re.compile(
    rf"^(?:(?:the|its|my|our|his|her|their) )?(?:[\w-]+ ){{1,4}}?{NEEDS} {_WRITING}\b"
)
"""`the employer size needs correcting`; the proposal reports fields that cannot be changed."""
_SHOULD_BE = re.compile(rf"^(?:(?:it|this|that) )?{_OUGHT}\s+\S")
_SO_IT_IS = re.compile(r"^(?:it's|it is|that's|that is) (?!not\b)\S")
_SLIP = re.compile(rf"\b(?:typo|mistake|{_WRONG})")
_CHOICE = re.compile(r"^(?:use|take|choose|pick|go with|go for)\b")
_ASKED_FOR = re.compile(
    r"^i(?:'m| am|'d| would|'ll| will)? (?:(?:rather|prefer|like|love)\s+)?(?:to )?"
    r"(?:want(?:ed)?|ask(?:ing)?|need|like|prefer|charge|have)\s+(?:for )?(?:at least )?"
    r"[$€£]?\d[\d.,]*\S*(?:\s+(?:for (?:it|this|that|them)|not|instead|now)\b|\W*$)"
)


_INTENT_OF_REQUEST = {
    Request.RESEARCH: Intent.RESEARCH,
    Request.CHANGE: Intent.ACTION,
    Request.ANSWER: Intent.QUESTION,
}


def intent_of(text: str, chat: Chat) -> Intent:
    """The intent of the message; UNKNOWN if its words do not decide."""
    intents: set[Intent] = set()
    before = ""
    for sentence in message_parts(readable_part(text)):
        part_intents: list[Intent] = []
        for each in sentence:
            whole = in_digits(
                correct_spelling(expand_abbreviations(" ".join(each.lower().split())), chat, VERBS)
            )
            part = part_of(whole)
            if part.withdraws:
                intents.clear()
                part_intents.clear()
                continue
            if part_intents and _ADVICE.search(part.text):
                part_intents = [Intent.QUESTION]
            else:
                part_intents.append(_intent_of_part(part, whole, before, chat))
            before = f"{before} {whole}"
        intents.update(part_intents)
    for intent in (Intent.ACTION, Intent.RESEARCH, Intent.QUESTION):
        if intent in intents:
            return intent
    return Intent.UNKNOWN


def is_asked(sentence: str) -> bool:
    """Whether a sentence asks for an answer and states nothing."""
    for each in (part for parts in message_parts(readable_part(sentence)) for part in parts):
        part = part_of(expand_abbreviations(" ".join(each.lower().split())))
        asks = part.text.endswith("?") or _ASKING.match(part.text) or _WONDERING.search(part.text)
        if asks or ANSWER_VERBS.match(part.request):
            return True
    return False


def _intent_of_part(part: Part, whole: str, before: str, chat: Chat) -> Intent:
    if part.is_empty or part.is_negated:
        return Intent.UNKNOWN
    text, request = part.text, part.request
    advice = _ADVICE.search(request if part.possibly else text) is not None
    asks = bool(
        advice
        or text.endswith("?")
        or _ASKING.match(text)
        or _ASKING.match(request)
        or _WONDERING.search(text)
    )
    if part.is_request or not advice:
        kind = request_of(request, chat, is_request=part.is_request and not advice, asks=asks)
        if kind is not None:
            return _INTENT_OF_REQUEST[kind]
        if asks_for_research(text, request, before, is_request=part.is_request, asks=asks):
            return Intent.RESEARCH
    if part.is_request or not asks or _PASSIVE.match(text):
        if wants_a_new_search(whole):
            return Intent.RESEARCH
        if _states_a_value(part, whole, before, chat):
            return Intent.ACTION
    names_topic = any(re.search(word, text, re.I) for topic in chat.topics for word in topic.words)
    return Intent.QUESTION if asks or names_topic else Intent.UNKNOWN


def _states_a_value(part: Part, whole: str, before: str, chat: Chat) -> bool:
    """`condition: good`, `the price should be 40`, `the brand is wrong`, `fair, not good`.

    `before`: what was said earlier in the message, which `it` may mean.
    """
    request = part.request
    if any(form.match(part.text) for form in (_ASKED_FOR, _DONE_TO_IT, _NEEDS_IT)):
        return True
    should_be = _SHOULD_BE.search(request) is not None and re.search(r"\d", request) is not None
    follows = should_be or (
        _SLIP.search(before) and (_SO_IT_IS.match(request) or _SHOULD_BE.match(request))
    )
    return any(
        (re.search(rf"\b{word}\b", part.text) and _PASSIVE.match(part.text))
        or (
            part.is_request
            and re.search(rf"^(?:the |its |my )?{word}\s+(?:to|at|as)\s+\S", request)
        )
        or (follows and re.search(rf"\b{word}\b", before))
        or (re.search(rf"\b{word}\b", request) and _gives_value(word, request, whole))
        for word in editable_words(chat)
    )


def _gives_value(word: str, request: str, whole: str) -> bool:
    begins = rf"^(?:the |its |my |this )?{word}\s*"
    is_now = rf"\b{word}(?:\s+(?:is|was|has|looks|got)|'s)"
    return bool(
        re.search(rf"\b{word}\b[^?]{{0,60}}?\b{_OUGHT}", request)
        or re.search(rf"\b{word}\b {MODAL} (?:{COMES}|{DOWN_BY}|{UP_BY})\s+\S", request)
        or re.search(
            rf"\b{word}\b {MODAL} (?:be {CLEARED}|mention|include|contain|state)\b", request
        )
        or re.search(
            rf"^(?:it|this|that)(?:'s| is) \S*\d\S*(?:,? not \S+)? (?:for|as|on) .*\b{word}\W*$",
            request,
        )
        or re.search(
            rf"{is_now}\s+missing\W+(?:please )?(?:put|set|use|add|enter|write)\b", request
        )
        or re.search(rf"{begins}(?::|=|->|→)\s*\S", request)
        or re.search(rf"{begins}(?:is\s+|to\s+|now\s+)*(?:[\"“'$€£]|\d\S*(?:\W*$| not\b))", request)
        or re.search(rf"{begins}(?=\S*\d)\S+\W*$", request)
        or re.search(rf"{begins}(?:is|to)\s+(?:[\"“'$€£]|\d)", request)
        or re.search(rf"{is_now}\s+now\s+\S", request)
        or re.search(rf"{is_now}\s+(?:\w+\s+){{0,3}}?{_WRONG}\b", request)
        or re.search(
            rf"{is_now}\s+(?!not\b)[^,?]{{1,60}}(?:,\s*not|(?<!but) not|,? and not|,? (?:rather|"
            rf"other) than|"
            r",? instead of)\s+\S",
            request,
        )
        or (_CHOICE.match(request) and re.search(rf"\b(?:as|for)\b.*\b{word}\b", request))
        or (
            _CORRECTED.search(whole)
            and re.search(rf"\b{word}\s+(?:is|was)\b|\bin\b.*\b{word}\b", request)
        )
    )
