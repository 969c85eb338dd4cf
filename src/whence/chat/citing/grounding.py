"""References of an answer: markers become numbers while it streams, and facts are held to them.

This is the only way from what was written to what is shown.  What imitates a reference (`[1]` that
no marker made) loses its brackets, and an image becomes a link, whoever wrote it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.chat.citing.facts import check, sentences
from whence.chat.citing.markers import MarkerParser, Piece, opens_marker
from whence.chat.citing.sources import Mark, Source, SourceBook


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
    """In the order of first use."""
    removed: int
    """Markers that pointed nowhere or could not be read."""
    uncited: tuple[str, ...]
    """Factual sentences without a reference: they have a figure, a date or a field's value."""
    unsupported: tuple[str, ...]
    """Figures and dates that stand in no cited source."""


_GAP = r"(?:(?<!\s)\s+|(?<![\s!]))"
"""A gap or none, never from its middle on: so that a long one is read once."""
_UNDECIDED = re.compile(rf"(?:{_GAP}!*\[[\d,\s–-]{{0,24}}|{_GAP}!+|(?<!\s)\s+)\Z")
"""The end of a text that may yet become something else: an imitation, an image, a gap to close."""
_RUNS = re.compile(r"[^\s!\[]+|[\s!\[]")
_IMAGE = re.compile(r"!+\[")
_IMITATED = re.compile(r"\[(\s*\d[\d,\s–-]{0,23})\]")
_CLOSES_UP = frozenset(" .,;:!?)\n")


class Grounding:
    """One answer while it is written; `feed` and `end` give what to show, `result` checks it."""

    def __init__(self, book: SourceBook) -> None:
        self._book = book
        self._parser = MarkerParser()
        self._shown: list[str] = []
        self._plain = ""
        """What was shown, without references."""
        self._marks: list[tuple[int, Source]] = []
        """Where in `_plain` each source was cited."""
        self._pending = ""
        self._removed_here = False
        self._last: int | None = None
        """The number of the reference that was shown last, while no text followed."""
        self._references: dict[object, Reference] = {}
        self._nowhere = 0

    def feed(self, text: str) -> str:
        """What may be shown now that this text came."""
        return "".join(map(self._take, self._parser.feed(text)))

    def end(self) -> str:
        """What remains to be shown when no more text comes."""
        out = "".join(map(self._take, self._parser.end()))
        return out + self._flush(self._pending.rstrip(" ") if self._removed_here else self._pending)

    def result(self) -> Grounded:
        """The answer as it was shown, checked against what it cites."""
        faults = check(sentences(self._plain, self._marks), [source for _, source in self._book])
        return Grounded(
            "".join(self._shown).strip(),
            tuple(self._references.values()),
            self._nowhere + self._parser.dropped,
            faults.uncited,
            faults.unsupported,
        )

    def _take(self, piece: Piece) -> str:
        if isinstance(piece, str):
            return "".join(self._take_run(run) for run in _RUNS.findall(piece))
        source = self._book.get(piece)
        return self._remove() if source is None else self._cite(piece, source)

    def _take_run(self, run: str) -> str:
        """Letters that decide everything before them are shown together."""
        if self._removed_here or len(run) == 1 or self._pending.strip():
            return "".join(map(self._take_character, run))
        return self._flush(self._pending + run)

    def _take_character(self, character: str) -> str:
        if self._removed_here:
            if character == " " and self._pending.endswith(" "):
                return ""
            self._removed_here = False
            if character in _CLOSES_UP and self._pending.endswith(" "):
                self._pending = self._pending.rstrip(" ")
        if self._goes_on(character):
            self._pending += character
            return ""
        text = self._pending + character
        undecided = _UNDECIDED.search(text)
        if undecided and undecided.start() == 0:
            self._pending = text
            return ""
        return self._flush(text[: undecided.start()] if undecided else text) + self._hold(
            text[undecided.start() :] if undecided else ""
        )

    def _goes_on(self, character: str) -> bool:
        """Whether this is one more of a gap or of a row of `!`, which may be long."""
        last = self._pending[-1:]
        if character == "!":
            return last == "!"
        return last.isspace() and character.isspace() and "[" not in self._pending

    def _hold(self, text: str) -> str:
        self._pending = text
        return ""

    def _flush(self, text: str) -> str:
        """Show text that is decided; nothing after it is held any more."""
        self._pending = ""
        if not text:
            return ""
        if "[" in text:
            text = _IMITATED.sub(r"(\1)", _IMAGE.sub("[", text))
        if self._last is not None and (text[0] == "(" or (text[0] == ":" and self._starts_line())):
            text = f" {text}"
        if text.strip():
            self._last = None
        self._plain += text
        self._shown.append(text)
        return text

    def _starts_line(self) -> bool:
        return not self._plain.rpartition("\n")[2].strip()

    def _remove(self) -> str:
        self._nowhere += 1
        self._removed_here = True
        if opens_marker(self._plain[-12:] + self._pending):
            self._pending += " "
            return self._flush(self._pending)
        return ""

    def _cite(self, mark: Mark, source: Source) -> str:
        self._removed_here = False
        known = source.id is not None or source.path is not None
        key = (source.kind, source.id, source.path) if known else source
        fresh = Reference(len(self._references) + 1, source)
        number = self._references.setdefault(key, fresh).number
        if self._last == number and not self._pending.strip():
            self._marks.append((len(self._plain), source))
            self._removed_here = True
            return ""
        shown = self._flush(self._pending)
        self._marks.append((len(self._plain), source))
        self._last = number
        self._shown.append(f"[{number}]")
        return f"{shown}[{number}]"
