"""What a message wants, by rules: general English and the pack's own words; no model is asked.

A message may hold several sentences; one that asks for a change decides, then one that asks for
research, then a question.  A wrong proposal is cheap, since a person applies it, but whoever asks
for advice or for a consequence (`what would happen if I set it to 40?`) only asks.
"""

from __future__ import annotations

import re
from enum import StrEnum

from whence.chat.offer import Chat
from whence.chat.spelling import QUOTED, editable_words, mended


class Intent(StrEnum):
    QUESTION = "question"
    ACTION = "action"
    RESEARCH = "research"
    UNKNOWN = "unknown"
    """Not clear; asked back once."""


VERBS = (
    *("set", "change", "update", "edit", "correct", "fix", "adjust", "modify", "amend"),
    *("raise", "lower", "increase", "decrease", "reduce", "drop", "bump", "cut"),
    *("rename", "retitle", "mark", "clear", "remove", "delete", "erase", "empty", "unset"),
    *("reset", "replace", "switch", "assign", "add", "append", "put", "enter", "write", "make"),
    *("undo", "revert", "restore"),
)
"""Verbs that ask for a change when a sentence begins with them."""
CHANGING = "|".join(VERBS)
_GERUNDS = "|".join(
    sorted({f"{stem}ing" for verb in VERBS for stem in (verb, verb.rstrip("e"), verb + verb[-1])})
)

_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|dear \w+|greetings|"
    r"thanks|thank you|thx|great|cool|perfect|nice|good|fine|right|sure|yes|yeah|yep|yup|"
    r"no|nope|nah|ok|okay|k|so|and|now|then|well|also|oh|ah|um|uh|hmm+|but|alright|all right|"
    r"actually|correction|in fact|wrong|please|pls|kindly|just|quickly|next|first|finally|wait|"
    r"sorry|there|again|instead)\b[\s,.!:;–—-]*)+"
)
_ASKED_OF_YOU = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we)(?: (?:please|kindly|just|also|maybe|perhaps|now|"
    r"go ahead and|be able to))*|please|pls|kindly|just|let'?s|let us|go ahead and|go and|"
    r"i(?:'d| would) like (?:you )?to|i want (?:you )?to|i wanna|i need (?:you )?to|we need to|"
    r"we want to|you (?:can|should|may|must)|i(?:'d| would) (?:like|rather)|help me(?: to)?|"
    r"try to|remember to)\s+(?:also |please |just )*"
)
_MIND = re.compile(rf"^(?:would|do) you mind (?:please )?(?=(?:{_GERUNDS})\b)")
_NOT = re.compile(r"^(?:do not|don'?t(?! you)|never|no need to|stop|cancel)\b")
_ASKING = re.compile(
    r"^(?:what|what'?s|which|who|whom|whose|when|where|why|how|how'?s|is|isn't|are|aren't|am|"
    r"was|were|do (?!it\b)|does|did|don't you|doesn't|didn't|has|have (?!another|a )|had|hasn't|"
    r"can|can't|could|couldn't|should|shouldn't|shall|will|won't|would|wouldn't|may|might|"
    r"any (?:idea|news|chance|thoughts?)|anything|tell me|show me|give me|explain|describe|"
    r"summari[sz]e|compare|list|walk me through|remind me|let me know|i(?:'d| would) like to know|"
    r"i (?:want|need) to know|i wonder|(?:i'm |i was )?wondering|curious|suppose|say i|if|"
    r"in case|whether|versus|estimate)\b"
)
_ADVICE = re.compile(
    r"\b(?:what (?:would|will|could|might) (?:happen|change|it|that|this|i)|what if|"
    r"should (?:i|we)|do you think|would it (?:be|help|make)|"
    r"would (?:you|i) (?:recommend|suggest|get)|"
    r"(?:is|was|would) it (?:ok|okay|wise|worth|better|possible|smart|a good idea|safe)|"
    r"any reason (?:to|not)|worth it)\b"
)
_SEARCHED = (
    "research|search|investigation|analysis|look-?up|data|comps|comparables|evidence|sources|"
    "market (?:data|check|research)|findings|results"
)
_RESEARCH = re.compile(
    r"^(?:(?:re-?)?research\b(?!\s+(?:say|said|find|found|show|is|was|look|of|from)s?\b)|"
    r"re-?run\b|run (?:it|this|that|the research|research|the search|a search|another)\b|"
    r"(?:start|begin|kick off|launch|trigger|redo|repeat|refresh|update|renew|restart|resume|"
    rf"continue|order|schedule|do|perform)(?:\s+(?!to\b|as\b)\w+){{0,4}}?\s+(?:{_SEARCHED})\b|"
    r"(?:start|try|do|run|check|search|look|go)(?: (?:it|this|that|everything|all|over|once))*"
    r" (?:again|afresh|anew)\b|check (?:it |the )?(?:market|web|internet|marketplaces?)\b|"
    r"refresh\b|(?:search|look|check|scan|dig)(?: \w+){0,2} (?:for|into|around|deeper|further|"
    r"online)\b|search (?:the |a )?\w+|look (?:it |this |that )?up\b|find out\b|"
    r"(?:find|fetch|get|pull|gather|collect|dig up|we need|i need|i want)(?: (?:me|us|some))? "
    r"(?:more|new|newer|fresh|fresher|recent|latest|updated|other|better|additional)\b|"
    r"investigate\b|dig deeper|(?:take|have) (?:a (?:fresh|new|second|closer)|another) look|"
    r"(?:a )?(?:new|fresh|another) (?:research|search|look|run)\b)"
)
_CHANGE = re.compile(rf"^(?:{CHANGING})\b(?!\s+(?:sense|sure|of)\b)(?!\W*$)|^(?:undo|revert)\b")
_TRADED = re.compile(r"^(?:price|sell|list|value|offer) (?:it|this|that|them) (?:at|for)\b")
_CONNECTED = re.compile(r"\b(?:to|as|at|by|with)\b|[:=]|->|→")
_OUGHT = r"(?:should|must|ought to|needs? to|has to|to)\s+(?:be|say|read|become)\b"
_CORRECTED = re.compile(r"^(?:no|actually|correction|in fact|wrong|sorry)\b|\bactually\b")
_CHOSEN = re.compile(r"^(?:use|take|choose|pick|go with|go for)\b")
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+|\n+|;\s+|\s+[–—]\s+"
    rf"|,\s+(?=(?:(?:so|then|please|pls|and|just)\s+)*(?:{CHANGING})\b)",
    re.I,
)


def intent_of(text: str, chat: Chat) -> Intent:
    """What the message wants; UNKNOWN where the words do not tell."""
    plain = QUOTED.sub("“…”", text.replace("’", "'").replace("‘", "'"))
    wants = {_of_sentence(each, chat) for each in _SENTENCE.split(plain) if each.strip()}
    for intent in (Intent.ACTION, Intent.RESEARCH, Intent.QUESTION):
        if intent in wants:
            return intent
    return Intent.UNKNOWN


def _of_sentence(sentence: str, chat: Chat) -> Intent:
    whole = mended(" ".join(sentence.lower().split()), chat, VERBS)
    said = _GREETING.sub("", whole).strip()
    if minded := _MIND.match(said):
        asked = _imperative(said[minded.end() :])
    else:
        asked = _GREETING.sub("", _ASKED_OF_YOU.sub("", said)).strip()
    if _NOT.match(asked):
        return Intent.UNKNOWN
    polite = asked != said
    advice = _ADVICE.search(said) is not None
    asks = advice or said.endswith("?") or _ASKING.match(said) or _ASKING.match(asked)
    if polite or not advice:
        if _RESEARCH.match(asked):
            return Intent.RESEARCH
        if _TRADED.match(asked) or (
            _CHANGE.match(asked) and (polite or not asks or _CONNECTED.search(asked))
        ):
            return Intent.ACTION
    if not (asks and not polite) and _states_a_value(asked, whole, chat):
        return Intent.ACTION
    named = any(re.search(word, said, re.I) for topic in chat.topics for word in topic.words)
    return Intent.QUESTION if asks or named else Intent.UNKNOWN


def _imperative(said: str) -> str:
    """`setting the price` as `set the price`, for a verb that asks for a change."""
    gerund, _, rest = said.partition(" ")
    stem = gerund.removesuffix("ing")
    verb = next((v for v in VERBS if stem in {v, v.rstrip("e"), v + v[-1]}), gerund)
    return f"{verb} {rest}"


def _states_a_value(said: str, whole: str, chat: Chat) -> bool:
    """`condition: good`, `the price should be 40`, `actually the brand is LG`."""
    for word in editable_words(chat):
        if not re.search(rf"\b{word}\b", said):
            continue
        begins = rf"^(?:the |its |my )?{word}\s*"
        if (
            re.search(rf"\b{word}\s+{_OUGHT}", said)
            or re.search(rf"{begins}(?::|=|->|→)\s*\S", said)
            or re.search(rf"{begins}(?:is|to)\s+(?:[\"“'$€£]|\d)", said)
            or (_CHOSEN.match(said) and re.search(rf"\b(?:as|for)\b.*\b{word}\b", said))
            or (
                _CORRECTED.search(whole)
                and re.search(rf"\b{word}\s+(?:is|was)\b|\bin\b.*\b{word}\b", said)
            )
        ):
            return True
    return False
