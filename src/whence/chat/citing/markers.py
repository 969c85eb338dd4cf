"""Markers in an answer while it streams: `[source:tool:index]` becomes a `Mark`, never text.

The parser decides a character at a time (what cannot begin a marker at once), so however a text is
split into tokens the pieces are the same.  Markers are read leniently where the meaning is plain
(`[Source:evidence:1, 2]`); what began as a marker and is none is dropped and counted.
"""

from __future__ import annotations

import re

from whence.chat.citing.sources import Mark

OPENING = "[source:"
MAX_MARKER = 160
"""Characters; a longer one is none: a tool's name has at most 64, and few are cited at once."""
MAX_INDEX_DIGITS = 6

_INSIDE = re.compile(r"[\w.\-:,; ]")
_ITEM = re.compile(rf"(?:source:)?\s*(?:([\w.\-]+)\s*:)?\s*(\d{{1,{MAX_INDEX_DIGITS}}})", re.I)
_REMAINS = re.compile(r"\[source:\s*[\w.\-]*(?:\s*:\s*\d*)?", re.I)

Piece = str | Mark


class MarkerParser:
    """Text in, text and marks out; what may yet become a marker is held back until it is decided.

    `dropped` counts the markers that could not be read.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._held = ""
        self._tail = ""
        """The last characters given out as text since the last mark."""

    def feed(self, text: str) -> list[Piece]:
        """What is decided after this text: pieces of text, and marks between them."""
        out: list[Piece] = []
        at = 0
        while at < len(text):
            if not self._held:
                bracket = text.find("[", at)
                plain = bracket if bracket >= 0 else len(text)
                if plain > at:
                    self._give(text[at:plain], out)
                    at = plain
                    continue
            self._take(text[at], out)
            at += 1
        return self._told(out)

    def end(self) -> list[Piece]:
        """What was held back when no more text comes."""
        out: list[Piece] = []
        while self._held:
            if self._in_marker():
                self._drop_remains(out)
            else:
                self._give(self._held, out)
                self._held = ""
        return self._told(out)

    def _take(self, character: str, out: list[Piece]) -> None:
        held = self._held + character
        if not self._in_marker():
            if OPENING.startswith(held.lower()):
                self._held = held
            elif self._held:
                self._give(self._held, out)
                self._held = ""
                self._take(character, out)
            else:
                self._give(character, out)
        elif character == "]":
            self._close(held, out)
        elif _INSIDE.match(character) and len(held) < MAX_MARKER:
            self._held = held
        else:
            self._held = held
            self._drop_remains(out)

    def _in_marker(self) -> bool:
        return len(self._held) >= len(OPENING)

    def _close(self, marker: str, out: list[Piece]) -> None:
        self._held = ""
        marks = _marks(marker[len(OPENING) : -1])
        if marks:
            out += marks
            self._tail = ""
        else:
            self._drop(out)

    def _drop_remains(self, out: list[Piece]) -> None:
        """What began as a marker and is none: its beginning goes, the rest is read as text."""
        held, self._held = self._held, ""
        match = _REMAINS.match(held)
        assert match is not None
        self._drop(out)
        for character in held[match.end() :]:
            self._take(character, out)

    def _drop(self, out: list[Piece]) -> None:
        self.dropped += 1
        if opens_marker(self._tail):
            self._give(" ", out)

    def _give(self, text: str, out: list[Piece]) -> None:
        out.append(text)
        self._tail = (self._tail + text)[-len(OPENING) :]

    def _told(self, out: list[Piece]) -> list[Piece]:
        told: list[Piece] = []
        for piece in out:
            if isinstance(piece, str) and told and isinstance(told[-1], str):
                told[-1] += piece
            else:
                told.append(piece)
        return told


def opens_marker(text: str) -> bool:
    """Whether a text ends with what could begin a marker, so that a removal after it joins one."""
    start = text.rfind("[")
    return start >= 0 and OPENING.startswith(text[start:].lower())


def _marks(body: str) -> list[Mark]:
    """The marks that a marker's inside names: `evidence:1`, `evidence:1, 2`; none if any is odd."""
    marks: list[Mark] = []
    tool = ""
    for item in re.split(r"\s*[,;]\s*", body.strip()):
        match = _ITEM.fullmatch(item)
        if match is None:
            return []
        tool = match[1] or tool
        if not tool:
            return []
        marks.append(Mark(tool, int(match[2])))
    return marks
