"""Splits a message into the parts that ask or state something, without polite phrases.

`hi! sorry to bother you, but could you please lower the price, thanks` asks to `lower the price`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from whence.chat.language.spelling import QUOTED, correct_spelling, field_pattern
from whence.chat.language.vocabulary import (
    CHANGED,
    HYPOTHETICAL,
    NEGATION,
    POLITE_END,
    QUESTION_WORDS,
    STRONG_VERB,
    WITHDRAWN,
)
from whence.chat.offer import Chat
from whence.kernel.words import MONTHS, MONTHS_ELSEWHERE

MASK = "\ufffc"
"""Stands for each character of a quotation, so that no word in it is taken for a field."""
_ELSEWHERE = re.findall(r"\w+", MONTHS_ELSEWHERE)
_LEAD_IN = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|morning|dear \w+|greetings|huh|"
    r"hmm*|"
    r"thanks|thank you|thx|great|cool|perfect|nice|good(?! condition)|right|sure|yes|yeah|yep|yup|"
    r"fair enough|got it|noted|makes sense|sounds (?:good|great|fine|right)|no(?=[\s,]*,)|"
    r"no(?! need\b|"
    r"t\b)|nope|nah|ok|okay|k|so|and|now|then|well|also|oh|ah|um|uh|but|alright|all right|actually|"
    r"correction|in fact|please|pls|plz|kindly|just|quickly|finally|wait|again|maybe|perhaps|"
    r"sorry(?: to \w+(?: you)?)?|honestly|hence|therefore|thus|anyway|by the way|btw|listen|bitte|"
    r"quick (?:one|question)|one more thing|change of plan|my (?:bad|mistake|fault)|w?oops|for now|"
    r"today|i (?:think|guess|believe|suppose|feel)(?: that)?|"
    r"(?:if|when|whenever) (?:possible|you (?:can|could|like|want|don't mind|get a chance)))"
    r"(?![\w'])[\s,.!:;–—-]*)+",
    re.I,
)
_STUDIED = (
    r"(?:looked (?:at|into|up|over)|checked|run|redone|repeated|researched|searched|assessed|"
    r"evaluated|gone over|refreshed)"
)
_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will|won't|can't|couldn't) (?:you|u|we|somebody|someone)|"
    r"(?:can|could|may|might) i (?:get|have|ask|request)(?: you(?: to)?)?(?! more\b| about\b|"
    r"\s+[$€£]?\d)|"
    r"(?:please|pls|plz|kindly|just)|let'?s(?: go)?(?: with)?|let us|go ahead and|go on and|go and|"
    r"i(?:'?d| would) (?:like|love|prefer|appreciate)(?: it if you (?:could|"
    r"would)?)?(?: (?:you )?to)?|"
    r"i(?:'?d| would) rather|(?:can|could|may|might)(?= (?:\S+ ){1,4}?be "
    rf"(?:{CHANGED}|{_STUDIED})\b)|"
    r"i want (?:(?:that )?you )?to|i want that you|(?:i |we )?need (?:you )?to|i need you to|"
    r"we want to|(?:you|we) (?:can|could|should|may|must|need to|have to)|help me(?: to)?|"
    r"try to|remember to|feel free to|be (?:so )?(?:kind|good) (?:(?:as |enough )?to|and)|"
    r"(?:it(?:'d| would) be|would be) (?:\w+ )?(?:great|nice|good|helpful|lovely|cool|best|fine)"
    r"(?: (?:if (?:you|we) (?:can|could|would)?|to(?: have)?))?|"
    r"(?:it(?:'s| is) |high )?time (?:to|for|we)|why don'?t (?:you|we)|"
    r"(?:would|will|is) it (?:be )?possible (?:for you )?to|i(?: was|'m| am) (?:hoping|asking)"
    r"(?: for)?(?: you (?:to|could|can))?|(?:would|do) you mind|mind|how about|"
    r"kannst du|könntest du|können sie|peux-tu|pouvez-vous|puedes)"
    r"(?=\s)\s*(?:(?:please|kindly|just|also|maybe|perhaps|now|then)\s+)*",
    re.I,
)
_SENTENCE = re.compile(
    rf"(?<=[.!?…])(?<!\d\.)\s+|(?<=\d\.)\s+(?!(?:{'|'.join([*MONTHS, *_ELSEWHERE])})\b)|"
    r"\.{2,}\s*|\n+|;\s*",
    re.I,
)
"""`8. März` is a day, not the end of a sentence."""


_TAG = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|wo|ca)n'?t "
    r"(?:it|she|he|they|i|we|that|this|there)\W*\Z"
    r"|^(?:\S+\s+){3,}(?<!not )(?<!is )(?<!isn't )(?<!all )(?<!the )(?<!looks )right\W*\Z",
    re.I,
)
"""`that was late, wasn't it`"""


_STATES = (
    r"(?:say\s+)?(?:it|they)(?:'?s|'?re|\s+(?:is|are|comes?|has|have|does))(?=\s)"
    r"(?!\s+(?:not\s+)?(?:wrong|right|correct|incorrect|missing|mis\w+|outdated|nonsense)\b)|"
    r"(?:she|he)\s+(?:works|worked|gave|has\s+worked)(?=\s)|"
    r"(?:the|its|my)\s+(?:\w+\s+){1,2}(?:is|are|has|have|should\s+be|=)(?=\s)"
)
"""A statement of its own after a comma or a conjunction: `it's like new`, `the color is grey`."""
_RUN_ON = re.compile(
    rf"(?!\W*(?:{QUESTION_WORDS}|{STRONG_VERB}))(?:(?!\b(?:what|which|how|why|when|where|who|if|"
    r"whether|tell|show|think|so|and|or)\b).)*?\w\S*\s+\S*\w\S*?(?P<gap>\s+)"
    r"(?=(?:should|shall|can|could|may|must|do|would) (?:i|we)\b|(?:is|was|isn't|wasn't) "
    r"(?:that|this|it|she|he)\b(?!'s)|does (?:that|this|it)\b|are (?:they|we)\b)",
    re.I,
)
"""What is told, and a question right behind it: `someone offered 120 should i take it`."""


_WITHOUT_SUBJECT = re.compile(
    r"(?:(?:is|are|was|were|does|do|did|has|have)n'?t|has|was)\s+(?!(?:it|its|she|he|they|that|this|"
    r"these|those|the|i|we|you|u|there|any\w*|my|her|his|our|somebody|someone|who)\b)",
    re.I,
)
"""`doesn't include the case`: tells of the record, and asks nothing."""


@dataclass(frozen=True)
class Part:
    """One part of a message."""

    text: str
    """As written, quotations masked."""
    core: str
    """Without greetings and polite phrases: a request begins with its verb here."""
    written: str
    """The core with its quotations."""
    start: int
    """Where the core begins in the message, with its spelling corrected."""
    words: str
    """The part as written."""
    sentence: int
    """The number of its sentence in the message."""
    is_request: bool
    """Phrased as a request, not as a question: `could you …`, `… please`."""

    @property
    def is_negated(self) -> bool:
        """Whether it says what not to do."""
        return NEGATION.search(self.core) is not None

    @property
    def withdraws(self) -> bool:
        """Whether it withdraws what was said before."""
        return WITHDRAWN.match(self.text.strip()) is not None

    @property
    def is_hypothetical(self) -> bool:
        """Whether it asks for advice or about a consequence."""
        if re.search(r"\bif you were me\b|\bin my place\b", self.text, re.I):
            return True
        return not self.is_request and HYPOTHETICAL.search(self.text.strip()) is not None

    @property
    def lacks_subject(self) -> bool:
        """Whether it tells of the record without naming it: `doesn't include the case`."""
        told = _WITHOUT_SUBJECT.match(self.core) is not None
        return told and not self.text.rstrip().endswith("?")

    @property
    def asks(self) -> bool:
        """Whether it is phrased as a question and not as a request."""
        plain = self.core.replace("'", "")
        if self.lacks_subject:
            return False
        if re.match(QUESTION_WORDS, plain, re.I):
            return not re.match(STRONG_VERB, plain, re.I)
        if _TAG.search(self.text):
            return True
        return self.text.rstrip().endswith("?") and not self.is_request


def message_parts(text: str, chat: Chat) -> list[Part]:
    """The parts of a message, in order, with its typing errors corrected."""
    return list(_parts(corrected(text, chat), chat))


def corrected(text: str, chat: Chat) -> str:
    """A message with straight apostrophes and its spelling corrected; `brand new` is `new`."""
    plain = re.sub(r"\bbrand[- ]new\b", "new", text.replace("’", "'").replace("‘", "'"), flags=re.I)
    return correct_spelling(plain, chat)


def masked(text: str) -> str:
    """A message with every character of its quotations masked."""
    return QUOTED.sub(lambda match: MASK * len(match[0]), text)


def _parts(written: str, chat: Chat) -> Iterator[Part]:
    text, at = masked(written), 0
    for number, sentence in enumerate([*_SENTENCE.finditer(text), None]):
        end = sentence.start() if sentence else len(text)
        begin = at
        cuts = [
            each.span() for each in _between(field_pattern(chat).pattern).finditer(text, at, end)
        ]
        for until, next_begin in [*cuts, (end, end)]:
            if (run_on := _RUN_ON.match(text, begin, until)) is not None:
                yield _part(*_slice(text, written, begin, run_on.start("gap")), number)
                begin = run_on.end("gap")
            if text[begin:until].strip():
                yield _part(*_slice(text, written, begin, until), number)
            begin = next_begin
        at = sentence.end() if sentence else len(text)


def _slice(text: str, written: str, begin: int, end: int) -> tuple[str, str, int]:
    return text[begin:end], written[begin:end], begin


@lru_cache(maxsize=64)
def _between(fields: str) -> re.Pattern[str]:
    """Where one part of a sentence ends and the next one begins."""
    new = (
        rf"(?!correct\W*\Z)(?:(?:please|pls|kindly|just|also|then|now|so|it's)\s+)*(?:{STRONG_VERB}|let'?s\b|"
        rf"tell me\b|"
        rf"show me\b|(?:it|that|this) (?:should|must)\b|(?:what|why|how|where|which|when|who)\b|"
        rf"(?:can|could|would|will|do|does|did|is|are|was|were|am|should|has) (?:you|it|i|we|they|"
        rf"the|that|this|she|he|[$€£]?\d[\d.,]*)(?!\w)|"
        rf"(?:re-?)?(?:run|check|search|research|look)\b|"
        rf"{_STATES}|"
        rf"(?:(?:the|its|my|el|la|los|las|der|die|das|den|le|les)\s+)?{fields}\s*"
        rf"(?:to|as|at|is|should|[:=]|->|→|[$€£]?\d|[{MASK}]|"
        rf"(?!from|with|for|of|in|on|and|or|based|range|by)[a-z]))"
    )
    return re.compile(
        rf"\s+[–—-]+\s+(?=\S+\s+\S)|(?:\s*,\s*(?:and\s+|then\s+|but\s+|so\s+)*|\s+(?:and|then|but|"
        rf"so|y|und|et)\s+"
        rf"(?:also\s+|then\s+)?)(?={new})",
        re.I,
    )


def _part(text: str, written: str, begin: int, sentence: int) -> Part:
    core, is_request, previous = text.lstrip(), False, ""
    while core != previous and not WITHDRAWN.match(core):
        previous = core
        core = _LEAD_IN.sub("", core)
        if match := _REQUEST.match(core):
            core, is_request = core[match.end() :], True
    lead = len(text) - len(core)
    shorter = POLITE_END.sub("", core)
    while shorter != core and shorter:
        is_request = (
            is_request or re.search(r"(?:please|pls|plz|you|bitte)\W*$", core, re.I) is not None
        )
        core, shorter = shorter, POLITE_END.sub("", shorter)
    return Part(
        text,
        core,
        written[lead : lead + len(core)],
        begin + lead,
        written.strip(),
        sentence,
        is_request,
    )
