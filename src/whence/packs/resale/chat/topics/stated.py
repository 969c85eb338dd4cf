"""What the record itself says: what it cost, its asking price, its stock, and its own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from whence.packs.resale.chat.basis import amount, item_of, shortened
from whence.packs.resale.records import Item
from whence.sdk.chat import ByRecord, RecordView, Statement, Topic
from whence.sdk.text import sentences

MAX_QUOTED = 3
"""Sentences of the description in one answer."""
_COST = (
    r"\b(?:i|we) (?:\w+ )?(?:pay|paid|spend|spent)\b"
    r"|\b(?:pay|paid|gave|spent) (?:for|on) (?:it|this)\b"
    r"|\b(?:my|our|the) (?:own )?cost(?! of| to)\b"
    r"|(?<!shipping )(?<!postage )(?<!it )\bcost (?:me|us)\b|\bpurchase price\b"
    r"|\b(?:buy|bought) (?:it|this|them) for\b"
)
_ASKING = (
    r"(?<!should )(?<!could )(?<!would )(?<!can )(?<!shall )(?<!do )"
    r"\b(?:it|this|i|we)\b[^?]{0,12}\blist(?:ed)?(?: (?:it|this))? (?:at|for)\b"
    r"|^\W*(?:what(?:'?s| is| was| are)|how much (?:is|was)) (?:my|our|the|its) (?:current |old )?"
    r"(?:asking|list(?:ing)?) price(?: (?:right )?now| at the moment| today| in the record)?\W*$"
    r"|\bwhat (?:am i|are we) asking(?: for (?:it|this))?\W*$"
)
_SHIPPING = r"\bwhat (?:does|did|will|would) (?:shipping|postage|sending it) cost(?: me| us)?\b"
_STOCK = (
    r"\bhow many (?:\w+ )?(?:do|did) (?:i|we) (?:still )?have\b"
    r"|\bhow many (?:are|is) (?:left|in stock)\b"
)
_STATUS = (
    r"\bwhat(?:'?s| is) (?:its|the) status\b|^\W*(?:is|was) (?:it|this)(?: already| still)? "
    r"(?:listed|sold|archived|a draft)(?: yet| already)?\W*$"
)


def answer(view: RecordView, question: str) -> Sequence[Statement]:
    """The fields that the question asks for."""
    item = item_of(view)
    return [
        state(item)
        for pattern, state in _FIELDS.items()
        if re.search(pattern, question, re.IGNORECASE)
    ]


def _cost(item: Item) -> Statement:
    if item.cost is None:
        return Statement("The record does not say what you paid for it.", (ByRecord("cost"),))
    return Statement(f"You paid {amount(item.cost, item.currency)} for it.", (ByRecord("cost"),))


def _asking(item: Item) -> Statement:
    by = (ByRecord("defaultPrice"),)
    if item.default_price is None:
        return Statement("The record has no asking price.", by)
    price = amount(item.default_price, item.currency)
    return Statement(f"The asking price in the record is {price}.", by)


def _shipping(item: Item) -> Statement:
    by = (ByRecord("shippingCost"),)
    if item.shipping_cost is None:
        return Statement("The record does not say what sending it costs you.", by)
    return Statement(f"Sending it costs you {amount(item.shipping_cost, item.currency)}.", by)


def _stock(item: Item) -> Statement:
    return Statement(f"The record has a quantity of {item.quantity}.", (ByRecord("quantity"),))


def _status(item: Item) -> Statement:
    status = item.lifecycle_status.value
    return Statement(f"Its status in the record is {status}.", (ByRecord("lifecycleStatus"),))


_FIELDS: dict[str, Callable[[Item], Statement]] = {
    _COST: _cost,
    _ASKING: _asking,
    _SHIPPING: _shipping,
    _STOCK: _stock,
    _STATUS: _status,
}
_WORD = re.compile(r"[^\W_]+")
_COMMON = frozenset(
    {
        *("what", "whats", "which", "who", "whose", "where", "when", "why", "how", "many", "much"),
        *("the", "and", "its", "this", "that", "these", "those", "they", "them", "one", "ones"),
        *("are", "was", "were", "does", "did", "has", "have", "had", "can", "could", "will"),
        *("would", "should", "come", "comes", "came", "with", "for", "from", "into", "about"),
        *("you", "your", "our", "tell", "say", "said", "there", "any", "put", "out", "number"),
        *("item", "record", "know", "get", "got", "still", "really", "also", "include", "includes"),
    }
)
"""Words that say nothing of what is asked about."""
_WHETHER = re.compile(
    r"^\W*(?:and |so |but )?(?:is|are|was|were) (?:there|it|they|the|its)\b|"
    r"^\W*(?:and |so |but )?(?:does|do|did|has|have|had) (?:it|they|i|we|its|the|any\w*|some\w*)\b",
    re.I,
)
_OF_ITS_PAST = re.compile(
    r"\bowners?\b|\bowned\b|"
    r"^\W*(?:and |so |but )?(?:who|whose|why|when|where|how (?:often|many times))\b.{0,24}"
    r"\b(?:was|were|did|has|have|had) (?:it|this)\b",
    re.I,
)
OF_ITS_OWNERS = (
    (
        r"\b(?:previous|former|last|first|original|prior|past|other|old) (?:owners?|users?)\b|"
        r"\bhow many (?:\w+ )?owners\b|\bwho (?:\w+ )?owned\b"
    ),
    (
        r"^\W*(?:and |so |but )?(?:has|had|was|were|did) "
        r"(?:it|this|they|any(?:one|body)|some(?:one|body)) (?:\w+ )?(?:ever|been)\b"
        r"(?!.*\b(?:research|search|look|sold|list|pric|check|updat|ask))"
    ),
)
"""Questions on what happened to the item before: no search tells, only its record may."""
UNKNOWN = (
    Statement("I cannot know that: the record does not say, and the evidence is about listings."),
    Statement(
        "What would settle it: a close look at the item, or a word from whoever had it before; "
        "tell me, and I propose to add it to the description."
    ),
    Statement(
        "I know its price, its demand, the comparable listings, what it is, its condition and its "
        "photographs."
    ),
)


def in_its_own_words(view: RecordView, question: str) -> Sequence[Statement]:
    """The attributes and sentences of the record that have the words of a question.

    Where a question asks for a fact of the item that is not there, an answer says that nobody here
    can know it, what would settle it, and what is known instead.
    """
    item = item_of(view)
    wanted = {_stem(each) for each in _WORD.findall(question.lower()) if _tells(each)}
    statements = [
        Statement(f"{name}: {shortened(value)}.", (ByRecord("attributes"),))
        for name, value in item.attributes.items()
        if {_stem(each) for each in _WORD.findall(name.lower())} <= wanted
    ]
    statements += _quoted(item, wanted)
    if not statements and (_WHETHER.match(question) or _OF_ITS_PAST.search(question)):
        return UNKNOWN
    return statements


def _quoted(item: Item, wanted: set[str]) -> list[Statement]:
    texts = [(text, "description") for text in sentences(item.description)]
    hits = [
        (len(wanted & {_stem(each) for each in _WORD.findall(text.lower())}), text, field)
        for text, field in [*texts, (item.title, "title")]
    ]
    most = max((hit for hit, _, _ in hits), default=0)
    if not most or most * 2 < len(wanted):
        return []
    return [
        Statement(f"The {field} says “{shortened(text).rstrip(' .')}”.", (ByRecord(field),))
        for hit, text, field in hits
        if hit == most
    ][:MAX_QUOTED]


def _tells(word: str) -> bool:
    return len(word) > 2 and word not in _COMMON


def _stem(word: str) -> str:
    return re.sub(r"(?:es|s|ed|ing)$", "", word) if len(word) > 4 else word.removesuffix("s")


TOPIC = Topic(
    name="stated",
    title="what the record says, such as what you paid",
    words=tuple(_FIELDS),
    answer=answer,
    example="What did I pay for it?",
    decides=tuple(_FIELDS),
)
