"""Rankings of the items on the list page by what research found them to be worth.

The figure is the target price of each item's current dossier; items without one are counted, never
ranked by another figure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.records import LifecycleStatus
from whence.sdk.pages import PageEntry, PageTopic, PageView, reads_out

from .filters import ItemFilter, ListedItem
from .questions import SEVERAL, SHOWN, entry_of, number_of

WORTH = "worth"
TITLE = "Items by the target price of their research"
_LEAST = re.compile(r"\b(?:least|lowest|cheapest|smallest|worthless)\b", re.I)
_TO_LIST = re.compile(
    r"\b(?:list|sell|offer|post|put up|start with)\b.*\b(?:first|next)\b"
    r"|\bfirst\b.*\b(?:list|sell)\b",
    re.I,
)
GONE = (LifecycleStatus.SOLD, LifecycleStatus.ARCHIVED)
_OTHER = re.compile(
    r"\b(?:profit\w*|margins?|net|fees?|easiest|fastest|quick\w*|demand|week|month|year|today)\b",
    re.I,
)
NOT_RANKED = (
    "I can rank the items by the target price of their research, and by nothing else that research "
    "found: open an item to see its demand and what its sale leaves."
)
NO_PRICE = "No item has a price from research yet; research some first."


def rank(view: PageView, question: str) -> list[PageEntry]:
    """The items with the highest or lowest target price, of those that are still owned."""
    if _OTHER.search(question):
        return [PageEntry(WORTH, TITLE, NOT_RANKED)]
    lowest, to_list = _LEAST.search(question) is not None, _TO_LIST.search(question) is not None

    def ranked(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
        left_out = (*GONE, LifecycleStatus.LISTED) if to_list else GONE
        owned = [each for each in items if each.status not in left_out]
        priced = [(each.worth, each) for each in owned if each.worth is not None]
        if not priced:
            return NO_PRICE
        if len({each.worth_currency for _, each in priced}) > 1:
            return SEVERAL
        ordered = sorted(priced, key=lambda pair: pair[0] if lowest else -pair[0])[:SHOWN]
        names = ", ".join(
            f"“{each.title}” ({worth:,.2f} {each.worth_currency})" for worth, each in ordered
        )
        of = "that are not listed, sold or archived" if to_list else "that are not sold or archived"
        without = len(owned) - len(priced)
        note = f"; {number_of(without)} no price from research yet" if without else ""
        which = "lowest" if lowest else "highest"
        return f"Of the items {of}, the {which} by the target price of research: {names}{note}."

    return entry_of(view, ItemFilter(), WORTH, TITLE, ranked)


WORTH_TOPIC = PageTopic(
    WORTH,
    "which items are worth most, by the target price of their research",
    (
        r"\b(?:which|what)\b.*\b(?:worth|valuable|value)\b.*\b(?:most|least|more|highest|lowest)\b",
        r"\b(?:most|least) (?:valuable|worth)\b|\bworth (?:the )?(?:most|least)\b",
        r"\b(?:highest|lowest|biggest|top) (?:value|worth)\b",
        r"\b(?:list|sell|offer|post|put up|start with)\b.*\b(?:first|next)\b",
        r"\b(?:what|which)\b.*\bfirst\b.*\b(?:list|sell)\b",
        r"\bshould (?:i|we)\b.*\b(?:list|sell)\b.*\b(?:first|next)\b",
        r"\b(?:by|highest|lowest) (?:their |the )?target(?: price)?\b",
    ),
    reads_out(WORTH),
    "Which item is worth the most?",
    rank,
)
