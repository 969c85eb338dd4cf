"""References of an answer: markers become numbers while it streams, and facts are held to them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.chat.markers import MarkerParser, Piece
from whence.chat.sources import Source, SourceBook


@dataclass(frozen=True)
class Reference:
    """A source under the number by which the answer cites it."""

    number: int
    source: Source


@dataclass(frozen=True)
class Grounded:
    """A finished answer, held to its sources."""

    text: str
    """As shown, with references as `[1]`."""
    references: tuple[Reference, ...]
    removed: int
    """Markers that pointed nowhere or could not be read."""
    uncited: tuple[str, ...]
    """Factual sentences without a reference: they have a figure, a date or a value."""
    unsupported: tuple[str, ...]
    """Figures and dates that stand in no cited source."""


class Grounding:
    """One answer while it is written."""

    def __init__(self, book: SourceBook) -> None:
        self._book = book
        self._parser = MarkerParser()
        self._shown: list[str] = []
        self._numbers: dict[object, Reference] = {}
        self._nowhere = 0

    def feed(self, text: str) -> str:
        """What may be shown now that this text came."""
        return self._show(self._parser.feed(text))

    def end(self) -> str:
        """What remains to be shown when no more text comes."""
        return self._show(self._parser.end())

    def result(self) -> Grounded:
        """The answer so far, checked."""
        text = "".join(self._shown).strip()
        references = tuple(self._numbers.values())
        return Grounded(text, references, self._nowhere + self._parser.dropped, (), ())

    def _show(self, pieces: list[Piece]) -> str:
        out = ""
        for piece in pieces:
            if isinstance(piece, str):
                out += piece
                continue
            source = self._book.get(piece)
            if source is None:
                self._nowhere += 1
                continue
            key = (source.kind, source.id, source.path) if source.id or source.path else source
            number = len(self._numbers) + 1
            out += f"[{self._numbers.setdefault(key, Reference(number, source)).number}]"
        self._shown.append(out)
        return re.sub(r"^$", "", out)
