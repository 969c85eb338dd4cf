"""Whether a message adds a value, takes it off or sets it: `drop it by 10`, `5 % more`, `to 40`."""

from __future__ import annotations

import re

from whence.chat.language.amounts import amounts_in
from whence.chat.language.number_words import in_digits
from whence.chat.language.vocabulary import Operation

_DOWN = re.compile(
    r"\b(?:off|less|cheaper|lower|down|below|under|reduced|weniger|moins|menos)\b", re.I
)
_UP = re.compile(r"\b(?:more(?!\s+like)|higher|up|extra|above|mehr|plus|más)\b", re.I)
_NO_LESS = re.compile(r"\b(?:not|no)\s+(?:an?\s+\w+\s+)?(?:less|more|lower|higher|cheaper)\b", re.I)
"""Says that a value is final: `128 and not a cent less`."""
_PHRASE = re.compile(
    r"\b(?:pick(?:s|ed|ing)?|clean(?:s|ed|ing)?|show(?:s|ed)?|end(?:s|ed)?|sign(?:s|ed)?|gave|"
    r"look(?:s|ed)?|met|meets?|dropped|fell|came|paid|sent|ran|went|drove|took|broken?)\s+"
    r"(?:(?:it|them|this|that|him|her)\s+)?(?:up|off|down)\b(?!\s+(?:by\s+|to\s+)?[$€£]?\d)",
    re.I,
)
"""Says nothing of the value: `a neighbour picked it up`."""
_FOR_SALE = re.compile(r"\bup(?=\s+(?:for|at)\b)", re.I)
"""`put it up for 129`"""
_BY = re.compile(r"\b(?:by|um)\s+\S*\d|\d\S*(?:\s?(?:%|percent\b))", re.I)
_ABSOLUTE = re.compile(r"\b(?:to|at|auf|à|a|say|as)\s+[$€£]?\d|[:=]", re.I)


def direction(operation: Operation, words: str, core: str) -> tuple[Operation, bool | None]:
    """Whether a value is added or taken off, and whether that is certain."""
    if not amounts_in(in_digits(words)):
        return operation, False if operation is Operation.SET else None
    if operation is Operation.ADD:
        return operation, True
    core = in_digits(core)
    words = _FOR_SALE.sub("", _PHRASE.sub("", _NO_LESS.sub("", words)))
    lowered, raised = _DOWN.search(words), _UP.search(words)
    is_difference = not _ABSOLUTE.search(core) or _BY.search(core)
    if operation is Operation.SET and (lowered or raised) and is_difference:
        return (Operation.DOWN if lowered else Operation.UP), True
    if operation in {Operation.UP, Operation.DOWN}:
        if _BY.search(core):
            return operation, True
        return operation, (False if _ABSOLUTE.search(core) else None)
    return operation, False
