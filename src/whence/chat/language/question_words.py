"""Question words with two letters swapped or one left out: `waht`, `wich`, `hwo`.

Without them a question would read as a statement, whose words would be taken for a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = (
    *("what", "when", "where", "which", "whose", "why", "who", "how"),
    *("could", "would", "should", "does", "did", "can", "will"),
)
"""The later wins: `hwo` is `how`, which begins more questions than `who`."""
_REAL = frozenset(
    {*_WORDS, "here", "were", "whee", "hose", "cold", "hen", "dose", "odes", "whoe", "wold"}
)
"""Words of their own, which stay as they are."""
MIN_SHORTENED_LETTERS = 5
"""Letters of a word that is recognised with one left out."""
_SMALL = {
    "teh": "the",
    "hte": "the",
    "taht": "that",
    "thsi": "this",
    "ther": "there",
    "shd": "should",
    "shld": "should",
    "shud": "should",
    "wld": "would",
    "cld": "could",
}
_CLAUSE = r"(?P<before>\A\W*|[.!?;,]\s*|\b(?:so|and|but|then|ok|okay|hi|hello|hey|also|well),?\s+)"


def _slips(word: str) -> Iterator[str]:
    for at in range(len(word) - 1):
        yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if len(word) >= MIN_SHORTENED_LETTERS:
        for at in range(len(word)):
            yield word[:at] + word[at + 1 :]


_MEANT = {
    **{slip: word for word in _WORDS for slip in _slips(word) if slip not in _REAL},
    "hw": "how",
}
_FIRST = re.compile(rf"{_CLAUSE}(?P<word>{'|'.join(sorted(_MEANT))})(?P<end>'?s)?(?![\w'])", re.I)
_ANYWHERE = re.compile(rf"(?<![\w'])(?:{'|'.join(_SMALL)})(?![\w'])")


def correct_question_words(text: str) -> str:
    """A message with the question words that begin its clauses as they are meant."""
    return _ANYWHERE.sub(
        lambda match: _SMALL[match[0]],
        _FIRST.sub(
            lambda match: f"{match['before']}{_MEANT[match['word'].lower()]}{match['end'] or ''}",
            text,
        ),
    )
