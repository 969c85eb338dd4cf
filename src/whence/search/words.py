"""Texts into words, the same way for what is indexed and for what is searched.

Case, accents and punctuation do not count, and `Łódź` is found as `lodz`.  A code is found however
it is separated: `QB-700` and `QB 700` are indexed as `qb`, `700` and `qb700`.  Scripts that write
no spaces are indexed by the character.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from whence.kernel.text import PLAIN_LETTERS

WORDS_VERSION = 2
"""Raised when texts are read in another way: everything is indexed again then."""
MAX_WORDS = 5_000
"""Words that are read of one text: the length of a long document's chapter."""
MAX_TERM = 100
"""Characters of a term; a longer run of letters is no word, and an index entry has a limit."""
MAX_JOINED = 30
"""Characters of joined words: the length of a long model, and not of two digests."""
MAX_SLOTS = 20
"""Words of a search that count."""
_MARKS = str.maketrans(dict.fromkeys("\u2122\u00ae\u00a9\u00b0", " "))
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Thai, Lao, Burmese, Khmer, kana, Han and Hangul."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_CODE = re.compile(r"(?<![^\W_])[^\W_]+(?:[-./_'\u2019\u2010-\u2014][^\W_]+)+")
"""Begins where a word begins: elsewhere it would be tried again at every letter."""
_IN_CODE = re.compile(r"[-./_'\u2019\u2010-\u2014][^\W_]")
_DIGIT = re.compile(r"\d")
_LETTER, _SIGN = rf"[^\W\d_{_UNSPACED}]", rf"[^\W_{_UNSPACED}]"
_BEFORE_NUMBER = re.compile(
    rf" {{1,2}}(?=(\d{_SIGN}*+)(?![^\W_])(?: {{1,2}}({_LETTER}{{1,2}})(?![^\W_]))?)"
)
"""Between a word and its number, and the letters that may end a model: `ZX 900 R`, `iPhone 12`."""
_AFTER_NUMBER = re.compile(rf"(?<=\d) {{1,2}}(?=({_LETTER}{{1,4}})(?![^\W_]))")
"""Between a number and the short word after it: `256 GB`, `ZX900 R`."""
_ONE_SIGN = re.compile(_SIGN)


@dataclass(frozen=True)
class Slot:
    """A word that has to occur, in one of its spellings."""

    spellings: tuple[str, ...]
    prefixes: tuple[str, ...] = ()
    """Spellings that may continue: the word is the last one, and people search while they type."""

    def matches(self, term: str) -> bool:
        """Whether a term of a text is this word."""
        return term in self.spellings or term.startswith(self.prefixes)


def plain(text: str) -> str:
    """The text without case, accents and marks."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.translate(_MARKS))
    accents = {ord(each): None for each in set(decomposed) if unicodedata.combining(each)}
    return decomposed.translate(accents).casefold().translate(PLAIN_LETTERS)


def words(text: str) -> list[str]:
    """The words of a text in order, and then what is joined of them."""
    folded = plain(text)
    terms = [word[:MAX_TERM] for word in _WORD.findall(folded)[:MAX_WORDS]]
    return [*terms, *(term for _, _, term in islice(_joined(folded), MAX_WORDS))]


def frequencies(texts: Iterable[str]) -> Counter[str]:
    """How often each term stands in these texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(words(text))
    return counts


def slots(search: str) -> list[Slot]:
    """The words of a search, each of which has to occur; none where it holds no letter or digit.

    A word may also occur joined to its neighbours, as `words` joins them.
    """
    folded = plain(search)
    joined, pieces = list(_joined(folded)), list(_WORD.finditer(folded))
    typed = pieces[-1].end() if pieces and search[-1:].strip() else None
    unique: dict[Slot, None] = {}
    for piece in pieces:
        exact, begun = dict[str, None](), dict[str, None]()
        for start, end, term in [(*piece.span(), piece[0][:MAX_TERM]), *joined]:
            if start <= piece.start() and piece.end() <= end:
                (begun if end == typed else exact)[term] = None
        unique[Slot(tuple(exact), tuple(begun))] = None
    return list(unique)[:MAX_SLOTS]


def _joined(folded: str) -> Iterator[tuple[int, int, str]]:
    """Codes without their separators, and words joined to their numbers: where each begins and
    ends, and the term."""
    if _IN_CODE.search(folded):
        for code in _CODE.finditer(folded):
            yield *code.span(), "".join(_WORD.findall(code[0]))[:MAX_TERM]
    if _DIGIT.search(folded) is None:
        return
    for space in _BEFORE_NUMBER.finditer(folded):
        start, word = _word_before(folded, space.start())
        if word and not word[-1].isdecimal():
            number, end = space.groups()
            if len(word + number) <= MAX_JOINED:
                yield start, space.end(1), word + number
                if end:
                    yield start, space.end(2), word + number + end
    for space in _AFTER_NUMBER.finditer(folded):
        start, word = _word_before(folded, space.start())
        if word and len(word + space[1]) <= MAX_JOINED:
            yield start, space.end(1), word + space[1]


def _word_before(folded: str, end: int) -> tuple[int, str]:
    """Where the word that ends here begins, and the word; an empty one where none does."""
    start = end
    while start and _ONE_SIGN.match(folded, start - 1):
        start -= 1
    is_whole = not start or _WORD.match(folded, start - 1) is None
    return start, folded[start:end] if is_whole else ""
