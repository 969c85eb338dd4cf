"""Marks in an answer what no source supports, in the text itself, so that every reader sees it.

The terminal, an export, the API, sockets and agents all show an answer's text; a mark that stood
anywhere else would be missing in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

NO_SOURCE = "(no source)"
"""Behind a sentence that states a fact and cites nothing."""
NOT_IN_SOURCE = "(not in its source)"
"""Behind a figure or a date that none of the cited sources contains."""
_UNIT = r"(?:\s?(?:%|[A-Z]{3}\b|[$€£]|percent\b|days?\b|weeks?\b|hours?\b|k\b))?"
_ANY_MARK = re.compile(rf" (?:{re.escape(NO_SOURCE)}|{re.escape(NOT_IN_SOURCE)})")


def mark(text: str, uncited: Sequence[str], unsupported: Sequence[str]) -> str:
    """An answer's text with a mark behind each uncited sentence and each unsupported figure."""
    marked: list[str] = []

    def keep(match: re.Match[str]) -> str:
        marked.append(_behind(match[0]))
        return f"\0{len(marked) - 1}\0"

    for sentence in dict.fromkeys(uncited):
        text = re.sub(r"\s+".join(map(re.escape, sentence.split())), keep, text, count=1)
    for figure in sorted(set(unsupported), key=len, reverse=True):
        pattern = rf"(?<![\w.,\0]){re.escape(figure)}(?![\d\0]|[.,]\d){_UNIT}(?! \(n)"
        text = re.sub(pattern, lambda match: f"{match[0]} {NOT_IN_SOURCE}", text)
    return re.sub(r"\0(\d+)\0", lambda match: marked[int(match[1])], text)


def unmarked(text: str) -> str:
    """A marked text without its marks."""
    return _ANY_MARK.sub("", text)


def _behind(sentence: str) -> str:
    stop = re.search(r"[.!?…:]+[\"”’)]*$", sentence)
    if stop is None:
        return f"{sentence} {NO_SOURCE}"
    return f"{sentence[: stop.start()]} {NO_SOURCE}{stop[0]}"
