"""Amounts in a text as people write them: `$1.2k`, `about 140`, `145 obo`, `10 %`, `ten bucks`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

_AMOUNT = re.compile(
    r"(?<![\w.,])(?P<sign>-|minus )?(?P<before>us\$|[$€£]|(?:usd|eur|gbp|cad|aud)(?=\s*\d))?\s*"
    r"(?P<digits>\d+(?:[.,'’]\d+)*)\s*"
    r"(?:(?P<percent>%|percent\b|per cent\b)|(?P<k>k\b)|(?P<times>thousand\b|million\b))?\s*"
    r"(?P<after>[$€£]|(?:usd|eur|gbp|cad|aud|chf|dollars?|euros?|pounds?|quid|bucks?)\b)?"
    r"(?![\w]|[.,]\d)",
    re.I,
)
_NO_LONGER = re.compile(
    r"(?:\b(?:is|was|are|were)n[o']?t|\bnot|\bnicht|\bfrom|\binstead of|\brather than|\bthan|"
    r"\bno longer)\s+(?:the\s+)?$",
    re.I,
)


@dataclass(frozen=True)
class Amount:
    """An amount in a text."""

    text: str
    """With its sign and currency, `1.2k` as `1200`."""
    start: int
    end: int
    percent: Decimal | None = None


def amounts_in(text: str, *, ruled_out: bool = False) -> list[Amount]:
    """The amounts of a text in order, without those it rules out: `2, not 1`, `from 155 to 149`.

    With `ruled_out`, only those.
    """
    amounts: list[Amount] = []
    for match in _AMOUNT.finditer(text):
        if bool(_NO_LONGER.search(text[: match.start()])) is not ruled_out:
            continue
        digits = match["digits"]
        percent = (
            Decimal(digits.replace(",", "."))
            if match["percent"] and digits.count(".") < 2
            else None
        )
        if match["k"]:
            digits = format((Decimal(digits.replace(",", ".")) * 1000).normalize(), "f")
        words = (match["sign"], match["before"], digits, match["times"] and f" {match['times']}")
        after = f" {match['after']}" if match["after"] else ""
        amounts.append(
            Amount("".join(filter(None, words)) + after, match.start(), match.end(), percent)
        )
    return amounts
