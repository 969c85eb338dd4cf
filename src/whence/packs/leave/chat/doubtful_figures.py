"""Figures of a what-if question that cannot be taken as they are: negative, relative or negated."""

from __future__ import annotations

import re

from whence.packs.leave.as_written import FAMILY

_FIGURE = r"\d[\d,.]*"
_UNIT = r"(?:hours?|hrs|h|employees?|people|workers|staff|months?|years?|weeks?|days?)"
_CLAUSE = r"(?:(?!\b(?:and|but|while)\b)[^.;?,]){0,40}?"
_SUPPOSED = re.compile(r"\b(?:if|suppose|supposing|assuming)\b.*")
_NEGATION = r"\b(?:not|no|never|without|cannot|\w+n['’]t)\b(?! (?:in|outside) california)"
_RELATIVE = r"(?:less|fewer|more|extra|additional|earlier|later|longer)"
_DOUBTFUL = [
    re.compile(pattern)
    for pattern in (
        rf"(?<![\w.)-])[-−–]\s?{_FIGURE}(?:\s*{_UNIT}\b)?",
        rf"\b(?:minus|negative)\s+{_FIGURE}(?:\s*{_UNIT}\b)?",
        rf"\b{_FIGURE}e[+-]?\d+(?:\s*{_UNIT}\b)?",
        rf"\b{_FIGURE}\s*%",
        rf"\b{_FIGURE} \d{{3}}\s*{_UNIT}\b",
        rf"\b{_FIGURE}\s*(?:-|−|–|/|to|or)\s*{_FIGURE}\s*{_UNIT}\b",
        rf"{_NEGATION}(?![^.;?,]*\buntil\b){_CLAUSE}{_FIGURE}(?:\s*{_UNIT}\b)?",
        rf"{_NEGATION}{_CLAUSE}\b(?:{'|'.join(FAMILY)})\b",
        rf"\b(?:less|fewer) than {_FIGURE}(?:\s*{_UNIT}\b)?",
        rf"\b(?:under|below|at most|up to) {_FIGURE}\s*{_UNIT}\b",
        rf"\b{_FIGURE}\s*(?:{_UNIT}\s+)?{_RELATIVE}\b(?:\s+{_UNIT}\b)?(?! than {_FIGURE})",
        rf"\b(?:another|{_RELATIVE}|{_RELATIVE} by)\s+{_FIGURE}\s*{_UNIT}\b",
    )
]
"""In lower case. Text before the supposition does not count: *would he not be eligible if …*."""


def doubtful_figure(question: str) -> str | None:
    """The words of the first figure that is not a plain amount; None if there is none."""
    supposed = _SUPPOSED.search(" ".join(question.lower().split()))
    if supposed is None:
        return None
    doubtful = [match for pattern in _DOUBTFUL if (match := pattern.search(supposed[0]))]
    first = min(doubtful, key=lambda match: match.start(), default=None)
    return first[0].strip() if first else None
