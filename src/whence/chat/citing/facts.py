"""Sentences of an answer that state facts, held to the sources which they cite."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b

from whence.chat.citing.sources import Source
from whence.chat.language.dates import WrittenDate, dates
from whence.chat.language.figures import Written, figures, numbers_of, stands_in

MOST_READ = 4096
"""Texts whose figures are remembered: the evidence of some hundred records."""
SHORTEST_VALUE = 3
"""Characters of a field's value that can be told from a chance word."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with the sources that it cites."""

    text: str
    cited: tuple[Source, ...]


@dataclass(frozen=True)
class Faults:
    """What a check of an answer found."""

    uncited: tuple[str, ...]
    unsupported: tuple[str, ...]


_END = re.compile(r"(?<![.!?…])[.!?…]+[\"”’)*_\]]*(?=\s)|\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|approx|ca|cf|vs|etc|inc|ltd|corp|co|mr|mrs|ms|dr|st|fig|sec|art|gov|al)"
    r"|\b[A-Z](?:\.[A-Z])*)\.$",
    re.I,
)
_NUMBER_SIGN = re.compile(r"\b(?:no|nos|para|pp?)\.$", re.I)
_LIST_MARK = re.compile(r"^\s*(?:#{1,6}\s+|[-*•]\s+|\d{1,2}[.)]\s+|>\s+)+")


def sentences(plain: str, marks: Sequence[tuple[int, Source]]) -> list[Sentence]:
    """The sentences of a text without its references; `marks` say where each source was cited.

    A reference after a sentence's end, on the same line, belongs to that sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(plain):
        if match[0] == "\n" or not _goes_on(plain, start, match.end()):
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, len(plain)))
    cited: list[list[Source]] = [[] for _ in spans]
    for offset, source in marks:
        cited[_sentence_at(plain, spans, offset)].append(source)
    told = zip(spans, cited, strict=True)
    return [
        Sentence(plain[since:until].strip(), tuple(found))
        for (since, until), found in told
        if plain[since:until].strip() or found
    ]


def check(said: Iterable[Sentence], known: Iterable[Source]) -> Faults:
    """Hold an answer's sentences to the sources they cite; `known` is all that could be cited.

    A figure is looked up in the sources of its sentence, or of the whole answer where its sentence
    cites none.  Questions state nothing.
    """
    said = [each for each in said if not each.text.rstrip('"”’)*_ ').endswith("?")]
    shelf = _Shelf()
    everything = [source for each in said for source in each.cited]
    values = [source for source in known if source.value]
    uncited: list[str] = []
    unsupported: list[str] = []
    for sentence in said:
        text = _LIST_MARK.sub("", sentence.text)
        stated = [*figures(text), *dates(text)]
        if not sentence.cited and (stated or any(_has_value(text, each) for each in values)):
            uncited.append(sentence.text)
        sources = sentence.cited or everything
        unsupported += [each.text for each in stated if not shelf.has(each, sources)]
    return Faults(tuple(uncited), tuple(dict.fromkeys(unsupported)))


@dataclass(frozen=True)
class _Read:
    """A source as it was read: its text, numbers and dates."""

    text: str
    numbers: frozenset[Fraction]
    dates: tuple[WrittenDate, ...]


class _Shelf:
    """Sources with their numbers and dates, each read once."""

    def __init__(self) -> None:
        self._read: dict[int, _Read] = {}

    def has(self, stated: Written | WrittenDate, sources: Sequence[Source]) -> bool:
        known = [self._of(source) for source in sources]
        if isinstance(stated, WrittenDate):
            return any(stated.agrees(other) for each in known for other in each.dates)
        return any(stated.among(each.numbers) for each in known) or any(
            stands_in(stated, (each.text,), each.numbers) for each in known
        )

    def _of(self, source: Source) -> _Read:
        """The source's own object is the key: the book that gave it out keeps it."""
        found = self._read.get(id(source))
        if found is None:
            text = f"{source.title}\n{source.content}"
            numbers, written = _figures_of.of(text)
            found = self._read[id(source)] = _Read(text, numbers, written)
        return found


class _Figures:
    """The numbers and dates of texts that were read last, without the texts themselves.

    The sources of a record are the same at every answer, and reading one takes a millisecond.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, tuple[frozenset[Fraction], tuple[WrittenDate, ...]]] = (
            OrderedDict()
        )

    def of(self, text: str) -> tuple[frozenset[Fraction], tuple[WrittenDate, ...]]:
        """All figures and dates of a text."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        found = self._known.pop(key, None) or (numbers_of(text), tuple(dates(text)))
        self._known[key] = found
        if len(self._known) > MOST_READ:
            self._known.popitem(last=False)
        return found


_figures_of = _Figures()


def _goes_on(plain: str, start: int, end: int) -> bool:
    """Whether a full stop ends an abbreviation or a number of a list, and not a sentence."""
    if _LIST_MARK.fullmatch(f"{plain[start:end]} "):
        return True
    before, after = plain[max(0, end - 12) : end], plain[end:].lstrip(" ")
    if _NUMBER_SIGN.search(before):
        return after[:1].isdigit()
    return _ABBREVIATION.search(before) is not None and not after.startswith("\n")


def _sentence_at(plain: str, spans: Sequence[tuple[int, int]], offset: int) -> int:
    at = next(at for at, (_, end) in enumerate(spans) if offset < end or end == len(plain))
    start, _ = spans[at]
    between = plain[start:offset]
    if at and not between.strip() and "\n" not in plain[spans[at - 1][1] - 1 : offset]:
        return at - 1
    return at


def _has_value(text: str, source: Source) -> bool:
    """Whether a sentence has a field's value: a name by itself, a common word beside its field."""
    for value in (source.value or "", (source.value or "").replace("_", " ")):
        if len(value) < SHORTEST_VALUE or not re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text):
            continue
        if value != value.lower() or " " in value or any(map(str.isdigit, value)):
            return True
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", (source.path or "").rpartition(".")[2])
        if name and re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", text, re.I):
            return True
    return False
