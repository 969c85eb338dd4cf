"""Questions about all items, which this conversation about one of them does not see."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import item_of, shortened
from whence.sdk.chat import ByRecord, RecordView, Statement, Topic

_MINE = r"(?:(?:of )?(?:all )?(?:my|our|the|these|those|any)(?: other)? )"
_ALL_ITEMS = (
    rf"\b(?:which|what|how many) {_MINE}*(?:items?|things)\b(?! (?:sold|were|was|did)\b)",
    (
        r"\b(?:my|our) (?:\w+ ){0,2}(?:most|least|best|dearest|cheapest|priciest|oldest|newest) "
        r"(?:\w+ )?items?\b"
    ),
    r"\b(?:my|our) (?:whole |entire |total |other )?(?:stock|inventory|collection|items)\b",
    r"\b(?:all|each|every|any|rest) (?:of )?(?:my|our|the)(?: other)? items?\b|\bevery item\b",
    r"\bwhich (?:one )?should (?:i|we) (?:sell|list) (?:first|next)\b",
)
ELSEWHERE = (
    "The list of items ranks and counts them all: open Items and ask there, such as “which item is "
    "worth the most?”."
)


def answer(view: RecordView, question: str) -> Sequence[Statement]:
    """That this conversation is about its item only, and where the ranking is."""
    title = shortened(item_of(view).title).rstrip(" .")
    here = Statement(f"This conversation is about “{title}” only.", (ByRecord("title"),))
    return [here, Statement(ELSEWHERE)]


TOPIC = Topic(
    name="all_items",
    title="your other items, which the list of items knows",
    words=_ALL_ITEMS,
    answer=answer,
    example="Which of my items is worth the most?",
    decides=_ALL_ITEMS,
)
