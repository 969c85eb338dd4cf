"""Checks the factual sentences of an answer against the sources they cite."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b

from whence.chat.citing.sources import Source
from whence.chat.language.figures import Figure, figures, numbers_of, occurs_in
from whence.kernel.dates import WrittenDate, dates

MAX_CACHED_TEXTS = 4096
"""Texts whose figures are cached: the evidence of a few hundred records."""
MIN_VALUE_CHARACTERS = 3
"""Characters; a shorter value cannot be told apart from a common word."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with the sources it cites."""

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
    """The sentences of a text from which references were removed; `marks` are where they stood.

    A reference after the end of a sentence, on the same line, belongs to that sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(plain):
        if match[0] == "\n" or not _is_inside_sentence(plain, start, match.end()):
            spans.append((start, match.end()))
            start = match.end()
    spans.append((start, len(plain)))
    cited: list[list[Source]] = [[] for _ in spans]
    for offset, source in marks:
        cited[_sentence_at(plain, spans, offset)].append(source)
    cited_spans = zip(spans, cited, strict=True)
    return [
        Sentence(plain[begin:stop].strip(), tuple(sources))
        for (begin, stop), sources in cited_spans
        if plain[begin:stop].strip() or sources
    ]


def check(statements: Iterable[Sentence], citable: Iterable[Source]) -> Faults:
    """Check an answer's sentences against the sources they cite; `citable` is all it could cite.

    A figure must be in a source of its sentence, or of any sentence if its own cites none.
    Questions are not checked: they state nothing.
    """
    statements = [each for each in statements if not each.text.rstrip('"”’)*_ ').endswith("?")]
    figures_of_sources = _SourceFigures()
    everything = [source for each in statements for source in each.cited]
    values = [source for source in citable if source.value]
    uncited: list[str] = []
    unsupported: list[str] = []
    for sentence in statements:
        text = _LIST_MARK.sub("", sentence.text)
        stated = [*figures(text), *dates(text)]
        if not sentence.cited and (stated or any(_mentions_value(text, each) for each in values)):
            uncited.append(sentence.text)
        sources = sentence.cited or everything
        unsupported += [each.text for each in stated if not figures_of_sources.has(each, sources)]
    return Faults(tuple(uncited), tuple(dict.fromkeys(unsupported)))


@dataclass(frozen=True)
class _ParsedSource:
    """A source's text with its numbers and dates."""

    text: str
    numbers: frozenset[Fraction]
    dates: tuple[WrittenDate, ...]


class _SourceFigures:
    """The numbers and dates of sources, each source parsed once."""

    def __init__(self) -> None:
        self._parsed: dict[int, _ParsedSource] = {}

    def has(self, stated: Figure | WrittenDate, sources: Sequence[Source]) -> bool:
        parsed = [self._parse(source) for source in sources]
        if isinstance(stated, WrittenDate):
            return any(stated.agrees(other) for each in parsed for other in each.dates)
        return any(stated.among(each.numbers) for each in parsed) or any(
            occurs_in(stated, (each.text,), each.numbers) for each in parsed
        )

    def _parse(self, source: Source) -> _ParsedSource:
        """Keyed by the source object itself, which the source book keeps alive."""
        parsed = self._parsed.get(id(source))
        if parsed is None:
            text = f"{source.title}\n{source.content}"
            numbers, written = _figures_of.of(text)
            parsed = self._parsed[id(source)] = _ParsedSource(text, numbers, written)
        return parsed


class _Figures:
    """A cache of the numbers and dates in texts, without the texts themselves.

    The sources of a record are the same in every answer, and parsing one takes a millisecond.
    """

    def __init__(self) -> None:
        self._cache: OrderedDict[bytes, tuple[frozenset[Fraction], tuple[WrittenDate, ...]]] = (
            OrderedDict()
        )

    def of(self, text: str) -> tuple[frozenset[Fraction], tuple[WrittenDate, ...]]:
        """All figures and dates of a text."""
        key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        entry = self._cache.pop(key, None) or (numbers_of(text), tuple(dates(text)))
        self._cache[key] = entry
        if len(self._cache) > MAX_CACHED_TEXTS:
            self._cache.popitem(last=False)
        return entry


_figures_of = _Figures()


def _is_inside_sentence(plain: str, start: int, end: int) -> bool:
    """Whether a full stop belongs to an abbreviation or a list number and ends no sentence."""
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


def _mentions_value(text: str, source: Source) -> bool:
    """Whether a sentence contains a field's value: a name alone, a common word with its field."""
    for value in (source.value or "", (source.value or "").replace("_", " ")):
        if len(value) < MIN_VALUE_CHARACTERS or not re.search(
            rf"(?<!\w){re.escape(value)}(?!\w)", text
        ):
            continue
        if value != value.lower() or " " in value or any(map(str.isdigit, value)):
            return True
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", (source.path or "").rpartition(".")[2])
        if name and re.search(rf"\b{re.escape(name.replace('_', ' '))}\b", text, re.I):
            return True
    return False
