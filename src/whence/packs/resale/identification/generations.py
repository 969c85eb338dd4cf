"""A mark or generation that follows a model's code belongs to it: `WM-F10 II`, `X100 (2nd Gen)`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .spelling import compact, spelling

_ROMAN = r"(?:II|III|IV|V|VI|VII|VIII|IX|X)"
"""From two: a bare `I` is a word or a letter.  As written, in capitals: `v` is no mark."""
_ORDINAL = r"(?:(?:1st|2nd|3rd|[4-9]th|1\dth)|(?:first|second|third|fourth|fifth|sixth|seventh))"
_MARK = rf"(?:(?:mk|mark)\.?[ -]?(?:\d{{1,2}}|{_ROMAN}))"
_GENERATION = rf"(?:{_ORDINAL} gen(?:eration|\.)?|gen(?:eration|\.)? ?(?:\d{{1,2}}|{_ROMAN}))"
_VERSION = r"(?:v(?:er(?:sion)?)?\.? ?\d{1,2}(?![.\d]))"
_MARKS = re.compile(
    rf"[ -]?(?:(?-i:{_ROMAN})(?! ?\d)|[ ,]?\(?(?:{_MARK}|{_GENERATION}|{_VERSION})\)?)(?![\w-])",
    re.IGNORECASE,
)


def with_generation(model: str, texts: Iterable[str]) -> str:
    """The model with the mark that follows it in the first text that names it.

    A model that ends in the mark, or of which no text says more, stays as it is.
    """
    written = spelling(model)
    for text in texts:
        match = written.search(text)
        if match is None:
            continue
        following = _MARKS.match(text, match.end())
        if following is None:
            return model
        mark = following[0].strip(" -,()")
        ends_in_it = compact(model).endswith(compact(mark)) and len(compact(mark)) > 1
        return model if ends_in_it else f"{model} {mark}"
    return model
