"""Counts and rankings of the items on the list page, computed for the question that asks.

A question that none of these can answer is refused: another figure would be taken for its answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from whence.sdk.pages import PageEntry, PageTopic, PageView, reads_out

COUNT, RANK = "count", "rank"
MAX_ITEMS = 2_000
"""Items that are loaded to be counted; with more, a question about some of them is refused."""
SHOWN = 5
"""Items named in a count or a ranking."""
_COUNTED = re.compile(
    r"\bhow many (?P<of>(?!items?\b|of\b|are\b|do\b|were\b|have\b|wait)[^?.!,]+)", re.I
)
_REST = re.compile(
    r"\b(?:do|have|are|is|there|here|i|we|you|got|own|in|stock|the|my|our|all|right|now|total|"
    r"items?|"
    r"listed|selling|sell|for|sale)\b",
    re.I,
)
_LOWEST = re.compile(r"\b(?:cheapest|lowest|least|smallest)\b", re.I)
_WORTH = re.compile(r"\b(?:worth|valuable|value|profit\w*|demand|popular|sells?)\b", re.I)
RANKED = (
    r"\b(?:which|what)\b.*\b(?:most|least|highest|lowest|cheapest|dearest|best|worst|top)\b",
    r"\b(?:highest|lowest)\b.*\bpric",
    r"\b(?:highest|lowest)\b.*\bask",
    r"\b(?:most|least) (?:expensive|valuable)\b|\bcheapest\b|\bdearest\b",
)
COUNTED = (_COUNTED.pattern, r"\bhow many\b(?=.*\b(?:called|named|with|by|from)\b)")


@dataclass(frozen=True)
class ListedItem:
    """What a count or a ranking looks at."""

    title: str
    brand: str | None
    price: float | None
    currency: str


@dataclass(frozen=True)
class ListedItems:
    """The items of the page; not all of them where there are more than can be counted here."""

    items: Sequence[ListedItem]
    complete: bool


def count(view: PageView, question: str) -> list[PageEntry]:
    """How many items have the words of the question in their title or brand."""
    listed, match = _listed(view), _COUNTED.search(question)
    words = _REST.sub(" ", match["of"]).split() if match else []
    if listed is None or not words:
        return []
    title = f"Items with “{' '.join(words)}” in title or brand"
    if not listed.complete:
        return [_too_many(COUNT, title)]
    stems = [word.lower().removesuffix("s") for word in words]
    hits = [each for each in listed.items if _has(each, stems)]
    names = ", ".join(f"“{each.title}”" for each in hits[:SHOWN])
    more = f", and {len(hits) - SHOWN} more" if len(hits) > SHOWN else ""
    has = "item has" if len(hits) == 1 else "items have"
    text = f"{len(hits) or 'No'} {has} “{' '.join(words)}” in title or brand"
    return [PageEntry(COUNT, title, f"{text}{': ' if names else ''}{names}{more}.")]


def rank(view: PageView, question: str) -> list[PageEntry]:
    """The items with the highest or lowest asking price; any other ranking is refused."""
    listed = _listed(view)
    if listed is None:
        return []
    title = "Items by asking price"
    if _WORTH.search(question):
        text = (
            "I cannot rank the items by that here: what research concluded is on each item's page. "
            "Ask me for the highest or lowest asking price, or open an item."
        )
        return [PageEntry(RANK, title, text)]
    if not listed.complete:
        return [_too_many(RANK, title)]
    priced = [(each.price, each) for each in listed.items if each.price is not None]
    if len({each.currency for _, each in priced}) > 1:
        text = "The items are priced in several currencies, which I do not compare."
        return [PageEntry(RANK, title, text)]
    if not priced:
        return [PageEntry(RANK, title, "No item has an asking price.")]
    lowest = _LOWEST.search(question) is not None
    ranked = sorted(priced, key=lambda pair: pair[0] if lowest else -pair[0])[:SHOWN]
    names = ", ".join(f"“{each.title}” ({price:,.2f} {each.currency})" for price, each in ranked)
    return [
        PageEntry(
            RANK, title, f"By asking price, the {'lowest' if lowest else 'highest'}: {names}."
        )
    ]


def _listed(view: PageView) -> ListedItems | None:
    return view.data if isinstance(view.data, ListedItems) else None


def _has(item: ListedItem, stems: Sequence[str]) -> bool:
    words = re.findall(r"\w+", f"{item.title} {item.brand or ''}".lower())
    return all(any(word.removesuffix("s") == stem for word in words) for stem in stems)


def _too_many(name: str, title: str) -> PageEntry:
    text = "There are too many items to compare here; search or filter the list instead."
    return PageEntry(name, title, text)


QUESTION_TOPICS = (
    PageTopic(
        RANK,
        "the highest and lowest asking price",
        RANKED,
        reads_out(RANK),
        "Which item has the highest asking price?",
        rank,
    ),
    PageTopic(
        COUNT,
        "how many items have certain words in their title",
        COUNTED,
        reads_out(COUNT),
        "How many headphones are there?",
        count,
    ),
)
