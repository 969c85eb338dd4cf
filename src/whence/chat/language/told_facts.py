"""Facts that people tell about a record without asking for anything: `the cable is missing btw`.

No field is named and no value is given, so nothing is changed by itself.  A chat that names a field
for such facts (`Chat.facts_field`) asks whether to add the fact to it.
"""

from __future__ import annotations

import re

MIN_WORDS = 3
"""Words of a fact; fewer say too little: `it works`."""
MAX_CHARACTERS = 300
_TOLD = re.compile(
    r"^\W*(?:(?:i|we) (?:forgot|failed|wanted|should(?:'ve| have)?|have|need|meant) (?:to )?"
    r"(?:say|mention|add|tell you|said|mentioned)(?: that)?|(?:i|we)(?:'ve)? (?:have )?(?:just )?"
    r"(?:noticed|saw|found(?: out)?|discovered)(?: that)?|(?:please )?note(?: that)?|heads up|"
    r"turns out(?: that)?|just noticed(?: that)?)\b[\s,:]*",
    re.I,
)
"""What introduces a fact and is no part of it."""
_NOTED = re.compile(
    r"[\s,;]*(?:please )?(?:note|mention|add|write) (?:that|this|it)(?: down)?\W*\Z", re.I
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|got|comes?|came|includes?|lacks?|lasts?|works?|shows?|"
    r"needs?|holds?|fits?|smells?|rattles?|sticks?|misses|broke|cracked|stopped|"
    r"(?:is|are|was|were|has|have|had|does|do|did|wo|ca)n[o']?t|there'?s|it'?s|they'?re)\b",
    re.I,
)
_OF_NOBODY = re.compile(
    r"^\W*(?:i|we|you|u|he|she|that|this|these|those|who|which|what|somebody|someone|nobody|"
    r"everybody|everyone|a (?:buyer|guy|lady|friend|neighbou?r)|"
    r"(?:about |around |maybe |say )?[$€£]?\d[\d.,]*)\b",
    re.I,
)
"""Tells of people, or judges what was said before: `that is wrong`, `you are too expensive`."""
_JUDGES = re.compile(
    r"\b(?:wrong|incorrect|not right|not true|nonsense|too \w+|weird|strange|useless|ridiculous|"
    r"crazy|sell\w*|sold|priced?|expensive|cheap\w*|worth)\b|"
    r"\b(?:is|it'?s|are) (?:really |very |so )?(?:good|great|bad|ok|okay|fine|nice|better)\W*$",
    re.I,
)


def told_fact(words: str) -> str | None:
    """The fact that a part of a message tells, without its introduction; None if it tells none."""
    fact = _NOTED.sub("", _TOLD.sub("", words)).strip(" ,;.!")
    if len(fact.split()) < MIN_WORDS or len(fact) > MAX_CHARACTERS or "?" in words:
        return None
    if _OF_NOBODY.match(fact) or _JUDGES.search(fact) or not _VERB.search(fact):
        return None
    return fact
