"""What a message wants, by rules: general English and the pack's own words; no model is asked.

A message may hold several sentences; one that asks for a change decides, then one that asks for
research, then a question.  Acting wrongly is cheap here (a change is only proposed), but a question
must never start something: whatever asks for advice or a consequence is a question.
"""

from __future__ import annotations

import re
from enum import StrEnum

from whence.chat.offer import Chat


class Intent(StrEnum):
    QUESTION = "question"
    ACTION = "action"
    RESEARCH = "research"
    UNKNOWN = "unknown"
    """Not clear; asked back once."""


CHANGING = (
    "set|change|update|edit|correct|fix|adjust|modify|raise|lower|increase|decrease|reduce|drop|"
    "bump|cut|rename|retitle|mark|clear|remove|delete|erase|empty|unset|reset|replace|switch|"
    "add|append|put|enter|fill in|write|undo|revert|restore|make|turn|move|record|flag|swap|"
    "double|halve|round|assign|apply"
)
"""Verbs that ask for a change."""
FIELD_AT_END = r"(?:price|sell|list|value|offer)\s+(?:it|this|that|them)\s+(?:at|for)\b"
"""`price it at 40`: verbs of trade that ask for a change only with an amount after them."""

_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`")
_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|dear \w+|greetings|"
    r"thanks|thank you|thx|great|cool|perfect|nice|good|fine|right|sure|yes|yeah|yep|yup|"
    r"ok|okay|k|so|and|now|then|well|also|oh|ah|um|uh|hmm+|but|alright|all right|actually|"
    r"please|pls|kindly|just|quickly|next|first|finally|wait|sorry|there|again|instead)\b"
    r"[\s,.!:;–—-]*)+",
    re.I,
)
_ASKED_OF_YOU = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we)(?: (?:please|kindly|just|also|maybe|perhaps|now|"
    r"go ahead and|be able to))*|would you mind|do you mind|please|pls|kindly|just|let'?s|"
    r"let us|go ahead and|go and|i(?:'d| would) like (?:you )?to|i want (?:you )?to|"
    r"i wanna|i need (?:you )?to|we need to|we want to|you (?:can|should|may|must)|"
    r"i(?:'d| would) like|i(?:'d| would) rather|help me(?: to)?|try to|remember to|"
    r"make sure (?:to|you))\s+(?:also |please |just )*",
    re.I,
)
_NOT = re.compile(r"^(?:do not|don'?t|never|please don'?t|no need to|stop|cancel)\b", re.I)
_ASKING = re.compile(
    r"^(?:what|what's|whats|which|who|whom|whose|when|where|why|how|how's|hows|"
    r"is|isn't|are|aren't|am|was|were|do|does|did|don't you|doesn't|didn't|has|have|had|hasn't|"
    r"can|can't|could|couldn't|should|shouldn't|shall|will|won't|would|wouldn't|may|might|"
    r"any (?:idea|news|chance|thoughts?)|anything|"
    r"tell me|show me|give me|explain|describe|summari[sz]e|compare|list|walk me through|"
    r"remind me|let me know|i(?:'d| would) like to know|i want to know|i need to know|"
    r"i wonder|i'm wondering|wondering|i was wondering|do you know|curious|suppose|say i|"
    r"if|in case|whether|versus|estimate|what if)\b",
    re.I,
)
_ADVICE = re.compile(
    r"\b(?:what (?:would|will|could|might) (?:happen|change|it|that|this|i)|what if|"
    r"should (?:i|we)|do you think|would it (?:be|help|make)|"
    r"would (?:you|i) (?:recommend|suggest|get)|"
    r"(?:is|was|would) it (?:ok|okay|wise|worth|better|possible|smart|a good idea|safe)|"
    r"how (?:do|can|could|would|should|to)|any reason (?:to|not)|worth it)\b",
    re.I,
)
_RESEARCH = re.compile(
    r"^(?:(?:re-?)?research\b(?!\s+(?:say|said|find|found|show|is|was|look)s?\b)|"
    r"re-?run\b|run (?:it|this|that|the research|the search|research|a search|another)\b|"
    r"(?:start|begin|kick off|launch|do|trigger|redo|repeat|refresh|update|renew|restart|resume|"
    r"continue|make|get|order|schedule|perform)\b[^?]*?\b(?:research|search|investigation|"
    r"analysis|lookup|look-?up|data|comps|comparables|evidence|market (?:data|check|research))\b|"
    r"(?:start|try|do|run|check|search|look|go|refresh) (?:it |this |that |everything |all )?"
    r"(?:over |once )?(?:again|afresh|anew|now)\b|"
    r"refresh\b|"
    r"(?:search|look|check|scan|comb|dig)(?: \w+){0,2} (?:for|into|on|around|up|deeper|further|"
    r"online|the (?:market|web|internet)|marketplaces?)\b|"
    r"(?:find|fetch|get|pull|gather|collect|look up|dig up)(?: \w+){0,2} "
    r"(?:more|new|newer|fresh|recent|latest|updated|other|better|additional)\b|"
    r"investigate\b|dig deeper|take (?:a fresh|another) look|have another look|"
    r"(?:a )?(?:new|fresh|another) (?:research|search|look|run)\b)",
    re.I,
)
_CHANGE = re.compile(
    rf"^(?:{CHANGING})\b(?!\s+(?:sense|of)\b)(?!\s*$)|^(?:undo|revert|apply)\b|^{FIELD_AT_END}",
    re.I,
)
_OUGHT = re.compile(r"\b(?:should|must|ought to|needs? to|has to) (?:be|say|read|become)\b", re.I)
_SAID_WRONG = re.compile(
    r"^(?:no|actually|correction|in fact|wrong|sorry)\b[\s,:.-]*|\b(?:actually|really|in fact)\b",
    re.I,
)
_STATED = r"\s*(?::|=|->|→|\bis\b|\bto\b)\s*(?=[\"“'$€£\d]|\w)"
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")


def intent_of(text: str, chat: Chat) -> Intent:
    """What the message wants; UNKNOWN where the words do not tell."""
    plain = _QUOTED.sub(" “…” ", text.replace("’", "'").replace("‘", "'"))
    wants = {_of_sentence(each, chat) for each in _SENTENCE.split(plain) if each.strip()}
    for intent in (Intent.ACTION, Intent.RESEARCH, Intent.QUESTION):
        if intent in wants:
            return intent
    return Intent.UNKNOWN


def _of_sentence(sentence: str, chat: Chat) -> Intent:
    said = sentence.strip().lower()
    corrected = _SAID_WRONG.search(said) is not None
    said = _GREETING.sub("", said).strip()
    asked = _ASKED_OF_YOU.sub("", said)
    asked = _GREETING.sub("", asked).strip()
    if _NOT.match(asked):
        return Intent.UNKNOWN
    if asked != said or not _ADVICE.search(said):
        if _RESEARCH.match(asked):
            return Intent.RESEARCH
        if _CHANGE.match(asked):
            return Intent.ACTION
    asks = said.endswith("?") or _ASKING.match(said) or _ASKING.match(asked)
    if not asks and _states_a_value(said, chat, corrected=corrected):
        return Intent.ACTION
    named = any(re.search(word, said, re.I) for topic in chat.topics for word in topic.words)
    return Intent.QUESTION if asks or named else Intent.UNKNOWN


def _states_a_value(said: str, chat: Chat, *, corrected: bool) -> bool:
    """`condition: good`, `the price should be 40`, `actually the brand is LG`."""
    for word in editable_words(chat):
        named = rf"\b{word}\b"
        if not re.search(named, said):
            continue
        if _OUGHT.search(said) or re.search(
            rf"^(?:the |its |my )?{word}\s*(?::|=|->|→)\s*\S", said
        ):
            return True
        if re.search(rf"^(?:the |its |my )?{word}(?:{_STATED})(?:[\"“'$€£]|\d)", said):
            return True
        if corrected and re.search(rf"{named}\s+(?:is|was|=)\b|\bin\b.*{named}", said):
            return True
    return False


def editable_words(chat: Chat) -> list[str]:
    """The words for fields that can be changed, as patterns, longest first."""
    words = {word.lower() for field in chat.editable for word in (*field.words, field.field)}
    words |= {word.replace("_", " ") for word in words}
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return [r"\s+".join(map(re.escape, word.split())) for word in ordered]
