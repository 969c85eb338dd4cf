"""Finds requests for research without an imperative: `fresh prices please`, `can it be redone`.

A noun phrase about something research finds or does, with an adjective that asks for a new one, is
such a request; so is a passive or a stated need for what research does.
"""

from __future__ import annotations

import re

from whence.chat.language.imperatives import AGAIN, FOUND
from whence.chat.language.obligations import MODAL, NEEDS

_NEWER = (
    r"(?:(?:brand\s+|much\s+)?(?:new|newer|newest|fresh|fresher|freshest|updated|up[ -]to[ -]date|"
    r"another|second(?![ -]hand)|third|further)|one\s+more)"
)
"""Adjectives that ask for something new; `latest` and `recent` may mean what is there already."""
_MORE = r"(?:(?:some\s+|a\s+few\s+)?(?:more|better|additional|extra|different|recent|latest))"
"""These count only in a request: `more comps?` asks whether there are any."""
_AFTERWARDS = (
    r"(?:\s+(?:of|at|on|over|for|from|in|with|through|round|around|across|when|now|today|this|by|"
    r"about|as|if)\b[^?\d]*)?"
)
_PHRASE = r"^(?:(?:maybe|perhaps|possibly|how about|what about|a|an|the|some)\s+)*"
_HEAD = rf"(?:\s+(?!(?:to|as|by|with|from|on|in|is|are|for)\b)[a-z'-]+){{0,2}}?\s+{FOUND}s?\b"
_WANTED = re.compile(
    rf"{_PHRASE}{_NEWER}{_HEAD}{_AFTERWARDS}\W*$"
    rf"|{_PHRASE}(?:refresh|re-?check|re-?run|re-?search){_AFTERWARDS}\W*$"
)
_ASKED_FOR = re.compile(rf"{_PHRASE}(?:{_NEWER}|{_MORE}){_HEAD}{_AFTERWARDS}\W*$")
_STUDIED = (
    r"(?:(?:re-?)+(?:searched|checked|run|done|assessed|evaluated|appraised|examined|investigated|"
    r"analy[sz]ed|valued)|refreshed|looked\s+(?:at|into|over)|investigated|researched)"
)
_STUDIED_AGAIN = (
    r"(?:checked|assessed|evaluated|appraised|valued|analy[sz]ed|searched|gone\s+(?:over|through)|"
    rf"reviewed|examined|done|run|pulled|{_STUDIED})\b.*\b{AGAIN}"
)
_BE_STUDIED = rf"(?:be|have|get)\b(?:\s+\S+){{0,4}}?\s+(?:{_STUDIED_AGAIN}|{_STUDIED})\b"
_POSSIBLE = re.compile(rf"^(?:can|could|may|might|will|would)\s+(?:\S+\s+){{1,4}}?{_BE_STUDIED}")
_OUGHT = re.compile(rf"^(?:\S+\s+){{1,4}}?{MODAL}\s+{_BE_STUDIED}")
_HAD = re.compile(rf"^(?:be|have|get)\s+(?:\S+\s+){{1,4}}?(?:{_STUDIED_AGAIN}|{_STUDIED})\b")
_NEEDED = re.compile(
    rf"^(?:\S+\s+){{1,4}}?{NEEDS}\s+(?:(?:re-?)?(?:searching|checking|running|doing|assessing|"
    r"evaluating|investigating|researching|appraising)|refreshing|looking\s+(?:at|into|over)|"
    rf"(?:a|an|some)?\s*(?:{_NEWER}|{_MORE}){_HEAD}|a\s+(?:refresh|re-?check|re-?run))\b"
    rf"|.*\bworth\s+(?:re-?)?(?:doing|running|checking|looking|searching)\b.*\b{AGAIN}"
)
_START = re.compile(r"^(?:start|begin|get\s+(?:started|going))\W*$")
_STUDY = re.compile(r"\b(?:re-?search(?:ed|ing)?|search(?:ed|ing)?|looked\s+(?:at|into|up))\b")


def asks_for_research(
    text: str, request: str, before: str, *, is_request: bool, asks: bool
) -> bool:
    """Whether a part of a message, in lower case, asks for research without an imperative.

    `text` is the part without greetings, `request` also without polite phrases; `before` is the
    earlier text of the message.  `asks`: it is phrased as a question, such as `new comps?`.
    """
    if (_ASKED_FOR if is_request else _WANTED).match(request):
        return True
    if _POSSIBLE.match(text) or (is_request and _HAD.match(request)):
        return True
    if not asks and (_OUGHT.match(text) or _NEEDED.match(text)):
        return True
    return is_request and _START.match(request) is not None and _STUDY.search(before) is not None
