"""Texts into words, the same way for what is indexed and for what is searched.

Case, accents and punctuation do not count.  A code is found however it is separated: `QB-700` is
indexed as `qb`, `700` and `qb700`.  Scripts that write no spaces are indexed by the character.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

WORDS_VERSION = 1
"""Raised when texts are read in another way: everything is indexed again then."""
MAX_WORDS = 5_000
"""Words that are read of one text: the length of a long document's chapter."""
MAX_TERM = 100
"""Characters of a term; a longer run of letters is no word, and an index entry has a limit."""
MAX_SLOTS = 20
"""Words of a search that count."""
_MARKS = str.maketrans(dict.fromkeys("\u2122\u00ae\u00a9\u00b0", " "))
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_CODE = re.compile(r"(?<![^\W_])[^\W_]+(?:[-./_'\u2019\u2010-\u2014][^\W_]+)+")
"""Begins where a word begins: elsewhere it would be tried again at every letter."""
_IN_CODE = re.compile(r"[-./_'\u2019\u2010-\u2014][^\W_]")
_BETWEEN_CODES = re.compile(r"[^\w\-./'\u2019\u2010-\u2014]+")


@dataclass(frozen=True)
class Slot:
    """A word that has to occur, in one of its spellings."""

    spellings: tuple[str, ...]
    is_prefix: bool = False
    """The word may continue: it is the last one, and people search while they type."""


def plain(text: str) -> str:
    """The text without case, accents and marks."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.translate(_MARKS))
    accents = {ord(each): None for each in set(decomposed) if unicodedata.combining(each)}
    return decomposed.translate(accents).casefold()


def words(text: str) -> list[str]:
    """The words of a text in order, and then its codes without their separators."""
    folded = plain(text)
    terms = [word[:MAX_TERM] for word in _WORD.findall(folded)[:MAX_WORDS]]
    if _IN_CODE.search(folded) is None:
        return terms
    joined = ["".join(_WORD.findall(code))[:MAX_TERM] for code in _CODE.findall(folded)[:MAX_WORDS]]
    return [*terms, *joined]


def frequencies(texts: Iterable[str]) -> Counter[str]:
    """How often each term stands in these texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text))
    return counts


def slots(search: str) -> list[Slot]:
    """The words of a search, each of which has to occur; none where it holds no letter or digit."""
    unique: dict[Slot, None] = {}
    last: list[Slot] = []
    for part in plain(search).split():
        for code in _BETWEEN_CODES.split(part):
            if pieces := [piece[:MAX_TERM] for piece in _WORD.findall(code)]:
                joined = "".join(pieces)[:MAX_TERM]
                last = [Slot(tuple(dict.fromkeys((each, joined)))) for each in pieces]
                unique |= dict.fromkeys(last)
    goes_on = set(last) if search[-1:].strip() else set[Slot]()
    return [Slot(each.spellings, is_prefix=each in goes_on) for each in unique][:MAX_SLOTS]
