"""Which items a question on the list page is about: words, a status, a price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from whence.packs.resale.records import LifecycleStatus

_AMOUNT = r"(?:(?:usd|eur|gbp)\s*|[$€£]\s*)?(\d[\d,]*(?:\.\d+)?)"
_BETWEEN = re.compile(rf"\bbetween\s+{_AMOUNT}\s+and\s+{_AMOUNT}", re.I)
_OVER = re.compile(rf"(?:\b(?:over|above|more than|at least|from)|>=?)\s*{_AMOUNT}", re.I)
_UNDER = re.compile(
    rf"(?:\b(?:under|below|less than|cheaper than|at most|up to)|<=?)\s*{_AMOUNT}", re.I
)
_UNPRICED = re.compile(
    r"\b(?:without|with no|have no|has no|lack\w*|miss\w*) (?:an? |any )?(?:asking )?prices?\b"
    r"|\bunpriced\b|\bno (?:asking )?price\b",
    re.I,
)
_STATUS = {
    status: re.compile(rf"\b{status.value}s?\b|\bin {status.value}\b", re.I)
    for status in LifecycleStatus
}
_FILLER = re.compile(
    r"\b(?:how|many|much|do|does|have|has|are|is|was|were|there|here|i|we|you|got|own|in|stock|the|"
    r"my|our|your|all|right|now|total|items?|selling|sell|for|sale|of|an?|what|what's|whats|which|"
    r"ones?|listings?|tell|me|show|give|average|avg|mean|median|typical|asking|asked|list|prices?|priced|"
    r"costs?|cost|with|by|from|called|named|on|this|page|usd|eur|gbp|newest|latest|oldest|most|"
    r"recent|recently|added|last|first|please|and|or|that|than|still|currently|it|its|at|to)\b|"
    r"[$€£?!.,:;“”\"'<>=]",
    re.I,
)


@dataclass(frozen=True)
class ListedItem:
    """What a count or a ranking looks at."""

    title: str
    brand: str | None
    price: float | None
    currency: str
    status: LifecycleStatus = LifecycleStatus.DRAFT
    added: datetime | None = None
    worth: float | None = None
    """The target price of its current research."""
    worth_currency: str | None = None
    quantity: int = 1


@dataclass(frozen=True)
class ItemFilter:
    """The items that a question is about; all where it names nothing."""

    words: tuple[str, ...] = ()
    """Of the title or the brand."""
    status: LifecycleStatus | None = None
    least: float | None = None
    most: float | None = None
    unpriced: bool = False

    @property
    def is_all(self) -> bool:
        """Whether every item fits."""
        return self == ItemFilter()

    def fitting(self, items: Sequence[ListedItem]) -> list[ListedItem]:
        """The items that fit."""
        return [each for each in items if self._fits(each)]

    def __str__(self) -> str:
        """As in an answer: `with “sony” in title or brand, sold, over 100`."""
        parts = [
            f"with “{' '.join(self.words)}” in title or brand" if self.words else "",
            f"with the status {self.status.value}" if self.status else "",
            "without an asking price" if self.unpriced else "",
            f"from {self.least:,.2f}" if self.least is not None else "",
            f"up to {self.most:,.2f}" if self.most is not None else "",
        ]
        return ", ".join(filter(None, parts))

    def _fits(self, item: ListedItem) -> bool:
        words = re.findall(r"\w+", f"{item.title} {item.brand or ''}".lower())
        own = {_stem(word) for word in words}
        price = item.price
        return (
            all(_stem(word.lower()) in own for word in self.words)
            and (self.status is None or item.status is self.status)
            and (not self.unpriced or price is None)
            and (self.least is None or (price is not None and price >= self.least))
            and (self.most is None or (price is not None and price <= self.most))
        )


def filter_of(question: str) -> ItemFilter:
    """The filter that a question names."""
    least = most = None
    rest = re.sub(r"['’]s\b", "", question)
    if between := _BETWEEN.search(rest):
        least, most = _number(between[1]), _number(between[2])
        rest = _BETWEEN.sub(" ", rest)
    if over := _OVER.search(rest):
        least, rest = _number(over[1]), _OVER.sub(" ", rest)
    if under := _UNDER.search(rest):
        most, rest = _number(under[1]), _UNDER.sub(" ", rest)
    unpriced = _UNPRICED.search(rest) is not None
    rest = _UNPRICED.sub(" ", rest)
    status = next((each for each, words in _STATUS.items() if words.search(rest)), None)
    if status:
        rest = _STATUS[status].sub(" ", rest)
    words = tuple(_FILLER.sub(" ", rest).split())
    return ItemFilter(words, status, least, most, unpriced)


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


def _stem(word: str) -> str:
    return word.removesuffix("s")
