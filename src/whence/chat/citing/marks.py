"""Marks in an answer what no source supports, in the text itself, so that every reader sees it.

The terminal, an export, the API, sockets and agents all show an answer's text; a mark that stood
anywhere else would be missing in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

NO_SOURCE = "(no source)"
"""Behind a sentence that states a fact and cites nothing."""
NOT_IN_SOURCE = "(not in its source)"
"""Behind a figure or a date that none of the cited sources contains."""
_UNIT = r"(?:\s?(?:%|[A-Z]{3}\b|[$€£]|percent\b|days?\b|weeks?\b|hours?\b|k\b))?"
_ANY_MARK = re.compile(rf" (?:{re.escape(NO_SOURCE)}|{re.escape(NOT_IN_SOURCE)})")


def mark(text: str, uncited: Sequence[str], unsupported: Sequence[str]) -> str:
    """An answer's text with a mark behind each uncited sentence and each unsupported figure."""
    marks: dict[int, str] = {}
    spans: list[tuple[int, int]] = []
    for sentence in dict.fromkeys(uncited):
        pattern = r"\s+".join(map(re.escape, sentence.split()))
        for match in re.finditer(pattern, text) if pattern else ():
            if not any(start < match.end() and match.start() < stop for start, stop in spans):
                spans.append(match.span())
                marks[match.end() - len(_stop(match[0]))] = NO_SOURCE
                break
    for figure in set(unsupported):
        pattern = rf"(?<![\w.,]){re.escape(figure)}(?!\d|[.,]\d){_UNIT}"
        for match in re.finditer(pattern, text):
            if not any(start <= match.start() < stop for start, stop in spans):
                marks[match.end()] = NOT_IN_SOURCE
    places = sorted(marks)
    parts = [text[start:stop] for start, stop in pairwise([0, *places, len(text)])]
    return (
        "".join(f"{part} {marks[place]}" for part, place in zip(parts, places, strict=False))
        + parts[-1]
    )


def unmarked(text: str) -> str:
    """A marked text without its marks."""
    return _ANY_MARK.sub("", text)


def _stop(sentence: str) -> str:
    """What ends a sentence: its stop, with closing quotes."""
    stop = re.search(r"[.!?…:]+[\"”’)]*$", sentence)
    return stop[0] if stop else ""
