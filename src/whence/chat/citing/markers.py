"""Markers in an answer while it streams: `[source:tool:index]` becomes a `Mark`, never text.

The parser works character by character (text that cannot begin a marker goes through at once), so
the result does not depend on how the text is split into tokens.  It accepts variants whose meaning
is clear (`[Source:evidence:1, 2]`); a malformed marker is dropped and counted.
"""

from __future__ import annotations

import re

from whence.chat.citing.sources import Mark

OPENING = "[source:"
MAX_MARKER = 160
"""Characters; longer text is no marker: tool names have at most 64, and few are cited at once."""
MAX_INDEX_DIGITS = 6

_INSIDE = re.compile(r"[\w.\-:,; ]")
_ITEM = re.compile(rf"(?:source:)?\s*(?:([\w.\-]+)\s*:)?\s*(\d{{1,{MAX_INDEX_DIGITS}}})", re.I)
_REMAINS = re.compile(r"\[source:\s*[\w.\-]*(?:\s*:\s*\d*)?", re.I)

Piece = str | Mark


class MarkerParser:
    """Text in, text and marks out; text that may become a marker is buffered until that is decided.

    `dropped` counts the markers that could not be parsed.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._buffer = ""
        self._tail = ""
        """The last characters emitted as text since the last mark."""

    def feed(self, text: str) -> list[Piece]:
        """Take more text; return the text and marks that are decided now."""
        out: list[Piece] = []
        at = 0
        while at < len(text):
            if not self._buffer:
                bracket = text.find("[", at)
                plain = bracket if bracket >= 0 else len(text)
                if plain > at:
                    self._emit(text[at:plain], out)
                    at = plain
                    continue
            self._take(text[at], out)
            at += 1
        return self._merge_text(out)

    def end(self) -> list[Piece]:
        """Return what is still buffered; no more text comes."""
        out: list[Piece] = []
        while self._buffer:
            if self._in_marker():
                self._drop_remains(out)
            else:
                self._emit(self._buffer, out)
                self._buffer = ""
        return self._merge_text(out)

    def _take(self, character: str, out: list[Piece]) -> None:
        buffer = self._buffer + character
        if not self._in_marker():
            if OPENING.startswith(buffer.lower()):
                self._buffer = buffer
            elif self._buffer:
                self._emit(self._buffer, out)
                self._buffer = ""
                self._take(character, out)
            else:
                self._emit(character, out)
        elif character == "]":
            self._close(buffer, out)
        elif _INSIDE.match(character) and len(buffer) < MAX_MARKER:
            self._buffer = buffer
        else:
            self._buffer = buffer
            self._drop_remains(out)

    def _in_marker(self) -> bool:
        return len(self._buffer) >= len(OPENING)

    def _close(self, marker: str, out: list[Piece]) -> None:
        self._buffer = ""
        marks = _marks(marker[len(OPENING) : -1])
        if marks:
            out += marks
            self._tail = ""
        else:
            self._drop(out)

    def _drop_remains(self, out: list[Piece]) -> None:
        """Drop the beginning of a malformed marker and read the rest as text."""
        buffer, self._buffer = self._buffer, ""
        match = _REMAINS.match(buffer)
        assert match is not None
        self._drop(out)
        for character in buffer[match.end() :]:
            self._take(character, out)

    def _drop(self, out: list[Piece]) -> None:
        self.dropped += 1
        if opens_marker(self._tail):
            self._emit(" ", out)

    def _emit(self, text: str, out: list[Piece]) -> None:
        out.append(text)
        self._tail = (self._tail + text)[-len(OPENING) :]

    def _merge_text(self, out: list[Piece]) -> list[Piece]:
        merged: list[Piece] = []
        for piece in out:
            if isinstance(piece, str) and merged and isinstance(merged[-1], str):
                merged[-1] += piece
            else:
                merged.append(piece)
        return merged


def opens_marker(text: str) -> bool:
    """Whether a text ends like the beginning of a marker, so that a removal could complete one."""
    start = text.rfind("[")
    return start >= 0 and OPENING.startswith(text[start:].lower())


def _marks(body: str) -> list[Mark]:
    """The marks inside a marker (`evidence:1`, `evidence:1, 2`); none if any part is malformed."""
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
