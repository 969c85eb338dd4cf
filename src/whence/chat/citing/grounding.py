"""References in an answer: markers become numbers while it streams, and facts are checked.

All text of an answer passes through here before it is shown.  An imitated reference (`[1]` without
a marker) loses its brackets, and an image becomes a link, whoever wrote it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.chat.citing.facts import check, sentences
from whence.chat.citing.markers import MarkerParser, Piece, opens_marker
from whence.chat.citing.sources import Mark, Source, SourceBook


@dataclass(frozen=True)
class Reference:
    """A source with the number by which the answer cites it."""

    number: int
    source: Source


@dataclass(frozen=True)
class Grounded:
    """A finished answer, checked against its sources."""

    text: str
    """As shown, with references as `[1]`."""
    references: tuple[Reference, ...]
    """In the order of first use."""
    removed: int
    """How many markers pointed nowhere or could not be parsed."""
    uncited: tuple[str, ...]
    """Factual sentences (with a figure, a date or a field's value) that have no reference."""
    unsupported: tuple[str, ...]
    """Figures and dates that are in no cited source."""


_GAP = r"(?:(?<!\s)\s+|(?<![\s!]))"
"""White space or none, never starting inside it, so that a long gap is scanned only once."""
_UNDECIDED = re.compile(rf"(?:{_GAP}!*\[[\d,\s–-]{{0,24}}|{_GAP}!+|(?<!\s)\s+)\Z")
"""The end of a text that may still become an imitated reference, an image, or a gap to close."""
_RUNS = re.compile(r"[^\s!\[]+|[\s!\[]")
_IMAGE = re.compile(r"!+\[")
_IMITATED = re.compile(r"\[(\s*\d[\d,\s–-]{0,23})\]")
_CLOSES_UP = frozenset(" .,;:!?)\n")


class Grounding:
    """One answer in the making; `feed` and `end` return what to show, `result` checks it."""

    def __init__(self, book: SourceBook) -> None:
        self._book = book
        self._parser = MarkerParser()
        self._shown: list[str] = []
        self._plain = ""
        """The text shown so far, without references."""
        self._cited_at: list[tuple[int, Source]] = []
        """The position in `_plain` at which each source was cited."""
        self._pending = ""
        self._removed_here = False
        self._last_number: int | None = None
        """The number of the last reference shown, until text follows it."""
        self._references: dict[object, Reference] = {}
        self._unresolved = 0

    def feed(self, text: str) -> str:
        """Take more text; return what can be shown now."""
        return "".join(map(self._take, self._parser.feed(text)))

    def end(self) -> str:
        """Return what remains to be shown; no more text comes."""
        out = "".join(map(self._take, self._parser.end()))
        return out + self._flush(self._pending.rstrip(" ") if self._removed_here else self._pending)

    def result(self) -> Grounded:
        """The answer as shown, checked against its sources."""
        faults = check(sentences(self._plain, self._cited_at), [source for _, source in self._book])
        return Grounded(
            "".join(self._shown).strip(),
            tuple(self._references.values()),
            self._unresolved + self._parser.dropped,
            faults.uncited,
            faults.unsupported,
        )

    def _take(self, piece: Piece) -> str:
        if isinstance(piece, str):
            return "".join(self._take_run(run) for run in _RUNS.findall(piece))
        source = self._book.get(piece)
        return self._remove() if source is None else self._cite(piece, source)

    def _take_run(self, run: str) -> str:
        """Show a run of letters at once if nothing before it is undecided."""
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
        if self._extends_pending(character):
            self._pending += character
            return ""
        text = self._pending + character
        undecided = _UNDECIDED.search(text)
        if undecided and undecided.start() == 0:
            self._pending = text
            return ""
        return self._flush(text[: undecided.start()] if undecided else text) + self._keep_pending(
            text[undecided.start() :] if undecided else ""
        )

    def _extends_pending(self, character: str) -> bool:
        """Whether this character extends a gap or a row of `!`, which may be long."""
        last = self._pending[-1:]
        if character == "!":
            return last == "!"
        return last.isspace() and character.isspace() and "[" not in self._pending

    def _keep_pending(self, text: str) -> str:
        self._pending = text
        return ""

    def _flush(self, text: str) -> str:
        """Show decided text and clear what was pending."""
        self._pending = ""
        if not text:
            return ""
        if "[" in text:
            text = _IMITATED.sub(r"(\1)", _IMAGE.sub("[", text))
        if self._last_number is not None and (
            text[0] == "(" or (text[0] == ":" and self._starts_line())
        ):
            text = f" {text}"
        if text.strip():
            self._last_number = None
        self._plain += text
        self._shown.append(text)
        return text

    def _starts_line(self) -> bool:
        return not self._plain.rpartition("\n")[2].strip()

    def _remove(self) -> str:
        self._unresolved += 1
        self._removed_here = True
        if opens_marker(self._plain[-12:] + self._pending):
            self._pending += " "
            return self._flush(self._pending)
        return ""

    def _cite(self, mark: Mark, source: Source) -> str:
        self._removed_here = False
        has_key = source.id is not None or source.path is not None
        key = (source.kind, source.id, source.path) if has_key else source
        new_reference = Reference(len(self._references) + 1, source)
        number = self._references.setdefault(key, new_reference).number
        if self._last_number == number and not self._pending.strip():
            self._cited_at.append((len(self._plain), source))
            self._removed_here = True
            return ""
        shown = self._flush(self._pending)
        self._cited_at.append((len(self._plain), source))
        self._last_number = number
        self._shown.append(f"[{number}]")
        return f"{shown}[{number}]"
