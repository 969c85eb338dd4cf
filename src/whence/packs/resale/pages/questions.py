"""Counts, averages and rankings of the items on the list page, computed for the question that asks.

A question that none of these can answer is refused: another figure would be taken for its answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from whence.sdk.pages import PageEntry, PageTopic, PageView, reads_out

from .filters import ItemFilter, ListedItem, filter_of

COUNT, RANK, AVERAGE, NEWEST = "count", "rank", "average", "newest"
MAX_ITEMS = 2_000
"""Items that are loaded to be counted; with more, a question about some of them is refused."""
SHOWN = 5
"""Items named in a count or a ranking."""
_Text = Callable[[Sequence[ListedItem], ItemFilter], str]
_LOWEST = re.compile(r"\b(?:cheapest|lowest|least|smallest)\b", re.I)
_OLDEST = re.compile(r"\b(?:oldest|longest|first)\b", re.I)
_NO_PRICE = re.compile(
    r"\b(?:profit\w*|margin\w*|demand|popular|sells?|fees?|net|shipping|age|"
    r"days?|weight|condition|quantity|views?|confidence|target|floor|ceiling)\b",
    re.I,
)
_RANKED = (
    r"\b(?:which|what)\b.*\b(?:most|least|highest|lowest|cheapest|dearest|best|worst|top)\b",
    r"\b(?:highest|lowest)\b.*\bpric",
    r"\b(?:highest|lowest)\b.*\bask",
    r"\b(?:most|least) expensive\b|\bcheapest\b|\bdearest\b",
)
_UNPRICED = r"\bhow many\b.*\b(?:no|without|lack\w*|miss\w*)\b.*\bprice"
_COUNTED = (
    r"\bhow many (?!items?\b|of\b|are\b|do\b|were\b|have\b|wait)[^?.!,]+",
    _UNPRICED,
    rf"{_UNPRICED}s?\b",
    (
        r"\bhow many\b(?=.*\b(?:called|named|with|by|from|without|over|above|under|below|than|"
        r"no asking|no price|between|at least|at most|up to|sold|listed|drafts?|ready|archived)\b)"
    ),
)
_AVERAGED = (r"\b(?:average|avg|mean|median|typical)\b", r"\b(?:average|avg|mean|median)\b.*\bpric")
_NEW = (
    r"\b(?:newest|latest|most recent|oldest)\b(?!.*\bresearch)",
    r"\b(?:recently|last|just|first) added\b|\badded (?:last|recently|first)\b",
)
_NOT_KNOWN = (
    r"\b(?:this|last|past|previous|next) (?:\d+ )?(?:days?|weeks?|months?|years?|quarter)\b",
    r"\b(?:since|today|yesterday|ago)\b",
    r"\b(?:per|each|every|by) (?:day|week|month|year|brand|category|condition|item)\b",
)
"""Times and groups, by which this page computes nothing."""
REFUSED = (
    *_NOT_KNOWN,
    r"\b(?:average|avg|mean|median|typical|newest|latest|oldest)\b",
    r"\b(?:profit\w*|margins?|revenue|turnover|earn\w*|percent\w*|share|ratio|fees?|net|growth)\b",
    r"\bhow many\b.*\b(?:with|by|from|called|named|over|above|under|below|than|between)\b",
    r"\b(?:most|least|best|worst|highest|lowest) \w+",
)
"""Questions that no figure of the page answers by itself."""
OTHER_RANKING = (
    "I cannot rank the items by that here: what research concluded is on each item's page. "
    "Ask me for the highest or lowest asking price, or open an item."
)
OTHER_AVERAGE = "I can average the asking prices here, and nothing else."
SEVERAL = "The items are priced in several currencies, which I do not compare."


@dataclass(frozen=True)
class ListedItems:
    """The items of the page; not all of them where there are more than can be counted here."""

    items: Sequence[ListedItem]
    complete: bool


def count(view: PageView, question: str) -> list[PageEntry]:
    """How many items fit the words, the status and the price of the question."""
    wanted = filter_of(question)
    if wanted.is_all or _asks_for_more(question):
        return []
    return entry_of(view, wanted, COUNT, f"Items {wanted}", _counted)


def average(view: PageView, question: str) -> list[PageEntry]:
    """The average and the median asking price; any other average is refused."""
    if _NO_PRICE.search(question) or _asks_for_more(question):
        return [PageEntry(AVERAGE, "Average asking price", OTHER_AVERAGE)]
    wanted = filter_of(question)
    title = f"Average asking price of items {wanted}".removesuffix(" of items ")
    return entry_of(view, wanted, AVERAGE, title, _averaged)


def rank(view: PageView, question: str) -> list[PageEntry]:
    """The items with the highest or lowest asking price; any other ranking is refused."""
    title, lowest = "Items by asking price", _LOWEST.search(question) is not None
    if _NO_PRICE.search(question) or _asks_for_more(question):
        return [PageEntry(RANK, title, OTHER_RANKING)]

    def ranked(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
        priced = [(each.price, each) for each in items if each.price is not None]
        if len({each.currency for _, each in priced}) > 1:
            return SEVERAL
        if not priced:
            return "No item has an asking price."
        ordered = sorted(priced, key=lambda pair: pair[0] if lowest else -pair[0])[:SHOWN]
        names = ", ".join(
            f"“{each.title}” ({price:,.2f} {each.currency})" for price, each in ordered
        )
        without = len(items) - len(priced)
        note = f"; {number_of(without)} no asking price" if without else ""
        return f"By asking price, the {'lowest' if lowest else 'highest'}: {names}{note}."

    return entry_of(view, ItemFilter(), RANK, title, ranked)


def number_of(items: int) -> str:
    """`1 item has`, `3 items have`."""
    return "1 item has" if items == 1 else f"{items} items have"


def newest(view: PageView, question: str) -> list[PageEntry]:
    """The items that were added last, or first."""
    oldest = _OLDEST.search(question) is not None

    def dated(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
        days = [(each.added, each) for each in items if each.added is not None]
        ordered = sorted(days, key=lambda pair: pair[0], reverse=not oldest)[:SHOWN]
        names = ", ".join(f"“{each.title}” ({day:%Y-%m-%d})" for day, each in ordered)
        if not names:
            return f"There are no items {wanted}.".replace(" .", ".")
        which = "first" if oldest else "last"
        kind = f"The items {wanted} that were" if not wanted.is_all else "The items that were"
        return f"{kind} added {which}: {names}."

    return entry_of(view, filter_of(question), NEWEST, "Items by the day they were added", dated)


def _asks_for_more(question: str) -> bool:
    """Whether a question names a time or a group."""
    return any(re.search(each, question, re.I) for each in _NOT_KNOWN)


def _counted(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
    names = ", ".join(f"“{each.title}”" for each in items[:SHOWN])
    more = f", and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    are = "is 1 item" if len(items) == 1 else f"are {len(items) or 'no'} items"
    return f"There {are} {wanted}{': ' if names else ''}{names}{more}."


def _averaged(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
    prices: dict[str, list[float]] = defaultdict(list)
    for each in items:
        if each.price is not None:
            prices[each.currency].append(each.price)
    of = "" if wanted.is_all else f" of the items {wanted}"
    if not prices:
        return f"None{of or ' of the items'} has an asking price."
    parts = [
        f"{fmean(amounts):,.2f} {currency} ({len(amounts)} with a price, median "
        f"{median(amounts):,.2f} {currency})"
        for currency, amounts in sorted(prices.items())
    ]
    return f"The average asking price{of} is {'; '.join(parts)}."


def entry_of(
    view: PageView, wanted: ItemFilter, name: str, title: str, text: _Text
) -> list[PageEntry]:
    """The entry that a question asks for; a refusal where not all items are loaded."""
    if not isinstance(view.data, ListedItems):
        return []
    if not view.data.complete:
        return [
            PageEntry(
                name,
                title,
                "There are too many items to compare here; search or filter the list instead.",
            )
        ]
    return [PageEntry(name, title, text(wanted.fitting(view.data.items), wanted))]


QUESTION_TOPICS = (
    PageTopic(
        RANK,
        "the highest and lowest asking price",
        _RANKED,
        reads_out(RANK),
        "Which item has the highest asking price?",
        rank,
    ),
    PageTopic(
        AVERAGE,
        "the average asking price",
        _AVERAGED,
        reads_out(AVERAGE),
        "What is the average asking price?",
        average,
    ),
    PageTopic(
        NEWEST,
        "which items were added last",
        _NEW,
        reads_out(NEWEST),
        "Which items are the newest?",
        newest,
    ),
    PageTopic(
        COUNT,
        "how many items have certain words in their title, a status or a price",
        _COUNTED,
        reads_out(COUNT),
        "How many headphones under 100 are there?",
        count,
    ),
)
