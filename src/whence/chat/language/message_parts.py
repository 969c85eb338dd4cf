"""Splits a message into the parts that ask or state something, without polite phrases.

`hi! sorry to bother you, but could you please lower the price, thanks` asks to `lower the price`.
General English only; `imperatives` and `intents` decide what a part asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.chat.language.imperatives import BEGINNINGS, CHANGING, GERUNDS, imperative
from whence.chat.language.spelling import QUOTED

_GREETING = re.compile(
    r"^(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|dear \w+|greetings|huh|"
    r"(?:great|good|nice|cool|perfect|fine|right),? (?:thank you|thanks|thx)(?: (?:so|very) much)?|"
    r"thanks|thank you|thx|great|cool|perfect|nice|good|fine|right|sure|yes|yeah|yep|yup|"
    r"fair enough|got it|understood|noted|makes sense|sounds (?:good|great|fine|right)|"
    r"no(?! need\b)|nope|nah|ok|okay|k|so|and|now|then|well|also|oh|ah|um|uh|hmm*|but|alright|"
    r"all right|actually|correction|in fact|wrong|please|pls|plz|kindly|just|quickly|next|first|"
    r"finally|"
    r"wait|sorry(?: to \w+(?: you)?)?|there(?!'s| (?:is|are|was|were|will)\b)|again|"
    r"instead(?: of \S+)?|maybe|perhaps|honestly|"
    r"hence|therefore|thus|anyway|by the way|btw|listen|quick (?:one|question)|one more thing|"
    r"change of plan|my (?:bad|mistake|fault)|w?oops|for now|"
    r"today|"
    r"i (?:think|guess|believe|suppose|feel)(?: that)?|(?:if|when|whenever) (?:not|so|possible|"
    r"you (?:can|could|like|want|don't mind|have (?:time|a (?:minute|moment|second))|"
    r"get (?:a chance|round to it))))\b[\s,.!:;–—-]*)+"
)
_FRAME = re.compile(
    r"^(?:(?:can|could|would|will|won't|can't|couldn't) (?:you|we|somebody|someone)|"
    r"(?:can|could|may|might) i (?:get|have|ask|request|ask for)(?: you(?: to)?)?(?! more\b)|"
    r"please|pls|plz|kindly|just|let'?s|let us|go (?:ahead|on) and|go and|"
    r"go(?= (?:look|find|search|get|fetch|check|dig|and)\b)|"
    r"i(?:'d| would) (?:like|love|prefer|appreciate)(?: it if you (?:could|would)?)?"
    r"(?: (?:you )?to)?|i want(?: (?:(?:that )?you )?to| that you)?|i wanna|i(?:'d|"
    r" would) rather|(?:i |"
    r"we )?need(?: (?:you )?to)?|"
    r"we want(?: to)?|(?:you|we) (?:can|could|should|may|must|might want to|need to|have to)|"
    r"help me(?: to)?|try to|remember to|feel free to|do me a favou?r and|be (?:so )?(?:kind|good) "
    r"(?:(?:as |enough )?to|and)|"
    r"(?:it(?:'d| would) be|would be) (?:\w+ )?(?:great|nice|good|helpful|lovely|cool|best|fine)"
    r"(?: (?:if (?:you|we) (?:can|could|would)?|to(?: have)?))?|"
    r"(?:it(?:'s| is) |high |is it )?time (?:to|for|(?:you|we) (?:had|got|took|did)|you|we)|"
    r"why don't (?:you|we)|"
    r"(?:would|will|is) it (?:be )?possible (?:for you )?to|i (?:was|am|'m) (?:hoping|"
    r"asking)(?: for)?(?: you (?:to|could|can))?|be able to|"
    r"(?:(?:i|we) )?could (?:use|do with)|"
    r"(?:(?:i|we)(?:'d)? )?(?:would )?(?:love|welcome|appreciate)|"
    r"i(?:'d|'ll| would| will)(?= (?:go with|go for|put|take|use|set|make|choose|pick)\b)|"
    r"(?:(?:is there )?any )?chance (?:of|for))"
    r"(?=\s)\s*(?:(?:please|kindly|just|also|maybe|perhaps|now|quickly|really|then)\s+)*"
)
_CONSIDER = re.compile(
    r"^(?:(?:would|do) you mind|(?:do )?mind|how about|what about|would you consider|consider)"
    rf" (?:please )?(?=(?:{GERUNDS})\b)"
)
_TAG = re.compile(
    r"[\s,]*\b(?:(?:would|will|could|can|won't) you|please|pls|plz|thanks|thank you|thx|for me|"
    r"if (?:you can|you could|possible|you don't mind)|asap|(?:when|whenever|once|as soon as) you "
    r"(?:can|could|have (?:time|a (?:minute|moment|second|sec))|"
    r"get (?:a chance|round to it|to it))|"
    r"then|now)\W*$"
)
_NOT = re.compile(
    r"^(?:do not|don'?t(?! (?:you|i|they|we)\b)|never|no need|there(?:'s| is) no need|stop|cancel|"
    r"not (?!sure|happy|clear|certain)\w+|without|i (?:do not|don't|wouldn't|would not|won't) "
    r"(?:want|need|wish|change|touch|set|lower|raise|edit|update|like to)|"
    r"(?:leave|keep) (?:it|this|that|everything|all|things|them|\w+ \w+)(?: \w+)? "
    r"(?:as (?:it|they|is)|alone|be\b)|(?:you|we) (?:don't|do not|needn't|shouldn't) )"
)
_WITHDRAWN = re.compile(
    r"^(?:(?:no|wait|actually|sorry|oh|ok|okay)\W+)*(?:never ?mind|nvm|forget (?:it|that|about it)|"
    r"scratch that|strike that|ignore that|disregard that|cancel that)\b"
)
_AUXILIARY = (
    r"(?:am|is|are|was|were|do|does|did|will|would|can|could|should|shall|has|have|had)(?:n't)?"
)
_ASKS_AFTER = (
    r"(?:what|why|how|where|which|when|who)\b|"
    r"(?:i'm |i am )?(?:just )?(?:curious|wondering)\b|"
    rf"{_AUXILIARY} (?:i|you|we|it|they|this|that|the|there|these|those)\b"
)
_LINKS = r"(?:(?:so|then|please|pls|and|but|just|now|also|maybe|or|kindly|hence|therefore)\s+)*"
_SENTENCES = re.compile(r"(?<=[.!?…])\s+|\.{2,}\s*|\n+|;\s+")
_PARTS = re.compile(
    r"\s+[–—-]+\s+"
    rf"|:\s+(?={_ASKS_AFTER})"
    r"|,\s+(?=(?:so|hence|therefore|please|pls|kindly)\s)"
    r"|(?<!\bor)\s+so\s+(?=(?:(?:the|its|my|this|that|it)\s|\w+\s+(?:to\s+|is\s+|=\s*)?\d))"
    rf"|\s+so\s+(?=(?:{CHANGING})\s+(?:it|this|that|them|the|its)\b)"
    r"|,\s+(?=go\s+(?:up|down|back)\s+to\b)"
    rf"|,\s+(?={_LINKS}(?:{BEGINNINGS}|let'?s|go ahead|i(?:'d| would) like|i want|tell me|"
    rf"it should|{_ASKS_AFTER}))"
    rf"|\s+(?:so|but|and)\s+(?=(?:please|pls|then|kindly|hence|can you|could you|would you|let'?s|"
    r"go ahead|go and)\b)",
    re.I,
)


@dataclass(frozen=True)
class Part:
    """One part of a message."""

    text: str
    """The part without greetings and the like."""
    request: str
    """Also without polite phrases: a request begins with its verb here."""
    is_request: bool
    """Whether it is phrased as a request, not a question: `could you …`, `… please`."""
    possibly: bool = False
    """`would it be possible to`: a request, though it sounds like one for advice."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to understand."""
        return re.search(r"[^\W_]|\ufffc|“", self.text) is None

    @property
    def is_negated(self) -> bool:
        """Whether it says what not to do."""
        return _NOT.match(self.request) is not None

    @property
    def withdraws(self) -> bool:
        """Whether it withdraws what was said before."""
        return _WITHDRAWN.match(self.text) is not None


def message_parts(text: str) -> list[list[str]]:
    """The sentences of a message, each split into the parts that ask or state something.

    Quotations become `“…”`, and apostrophes are straight.
    """
    plain = QUOTED.sub("“…”", text.replace("’", "'").replace("‘", "'"))
    sentences = [_PARTS.split(each) for each in _SENTENCES.split(plain) if each]
    return [[part for part in parts if part and part.strip()] for parts in sentences]


def part_of(words: str) -> Part:
    """A part in lower case, without its polite phrases."""
    text = words if _WITHDRAWN.match(words) else _GREETING.sub("", words).strip()
    request, previous = text, ""
    while request != previous:
        previous = request
        request = _GREETING.sub("", _FRAME.sub("", request)).strip()
        if match := _CONSIDER.match(request):
            request = imperative(request[match.end() :])
    possibly = re.match(r"(?:would|will|is) it (?:be )?possible\b", text) is not None
    tagged = _TAG.sub("", request)
    while tagged != (shorter := _TAG.sub("", tagged)):
        tagged = shorter
    is_request = request != text or re.search(
        r"\b(?:you|please|pls|plz)\W*$", request[len(tagged) :]
    )
    return Part(text, tagged if tagged else request, bool(is_request), possibly)
