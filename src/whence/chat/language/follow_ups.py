"""Questions that only name what is different from the one before: `and on Mercari?`, `with 8?`."""

from __future__ import annotations

import re

from whence.chat.language.amounts import amounts_in
from whence.chat.language.intents import is_asked

_FOLLOWS = re.compile(
    r"\W*(?:(?:and|or|but|so)\W+)?(?:(?:what|how) about\s+|same (?:for|with|on)\s+)?"
    r"(?P<rest>(?:(?:on|at|with|for|in|under|by|via|if)\s+)?(?:\S+\s+){0,2}\S+?)\W*",
    re.I,
)
_BEGINS = re.compile(
    r"\W*(?:(?:and|or|but)\s+(?:on|at|with|for|in|under|by|via|if|what about|how about)\b|"
    r"(?:so\s+)?(?:what|how) about\b|same (?:for|with|on)\b|(?:with|on|at|via)\s+\S+\?)",
    re.I,
)
_SUPPOSED = re.compile(r"\b(?:at|with|for|if it (?:is|were)|if (?:she|he|i|we) \w+)\s*$", re.I)


def completed(question: str, previous: str | None) -> str:
    """The question with what it takes from the one before; itself where it stands alone.

    A figure replaces the one of the question before: of several the one that is supposed there
    (`at 16 hours a week`), if it is the only one.
    """
    follows = _FOLLOWS.fullmatch(question) if _BEGINS.match(question) else None
    if follows is None or previous is None or not is_asked(previous):
        return question
    new, old = amounts_in(follows["rest"]), amounts_in(previous)
    if len(old) > 1:
        old = [each for each in old if _SUPPOSED.search(previous[: each.start])]
    if len(new) > 1 or (new and len(old) != 1):
        return question
    if new:
        [one] = old
        return f"{previous[: one.start]}{new[0].text}{previous[one.end :]}"
    return f"{previous.rstrip(' ?.!')} {follows['rest']}?"
