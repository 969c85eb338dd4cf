"""The asking price: target and range, compared with the owner's price and the question's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import (
    DOSSIER,
    amount,
    claimed,
    each_sentence,
    from_dossier,
    is_supported,
    item_of,
    shortened,
)
from whence.packs.resale.flows.dossier_schema import ItemDossier, PriceView
from whence.packs.resale.thresholds import CONFIDENT
from whence.sdk.chat import ByClaim, ByRecord, Citation, RecordView, Statement, Topic

BANDS = ("floor", "target", "ceiling")
PATHS = {name: f"price.{name}.amount" for name in BANDS}
_VERY = r"(?:really|quite|so|that|very)"
_ARE_YOU_SURE = (
    r"^\W*(?:(?:and|so|but|really|hm+),?\s+)*(?:are |r )?(?:you|u) "
    rf"(?:{_VERY} )*(?:sure|certain|confident|positive)\b"
)
_HOW_SURE = r"\bhow (?:sure|certain|confident|reliable) (?:are you|is (?:it|that|this))\b"
_SHIPPED = (
    r"\b(?:shipping|postage|delivery)\b.{0,15}\b(?:included|in (?:there|it|that)|on top)\b|"
    r"\b(?:includ\w+|with|without|incl\.?|plus) (?:the )?(?:shipping|postage|delivery)\b"
)
_EITHER = r"[$€£]?\d+(?:\.\d+)? or [$€£]?\d+"
SURENESS = (_ARE_YOU_SURE, _HOW_SURE)
"""Questions for nothing but how sure the research is."""
_AMOUNT = re.compile(r"(?<![\w.,-])[$€£]?\s?(\d{1,7}(?:[.,]\d{1,2})?)(?![\w%]|[.,]\d)")


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Target first, then the range, its confidence, and how the owner's price compares."""
    if body.price is None:
        return no_price(body)
    if any(re.search(each, question, re.I) for each in SURENESS):
        return [*sureness(view), *claimed(view, PATHS["target"])]
    statements = _asked_amount(view, body.price, question)
    statements += claimed(view, PATHS["target"], _target(body.price))
    statements += claimed(view, PATHS["floor"], _edge(body.price, "floor", "a quick sale"))
    statements += claimed(
        view, PATHS["ceiling"], _edge(body.price, "ceiling", "a sale that can wait")
    )
    if not all(is_supported(view, path) for path in PATHS.values()):
        return statements
    return [*statements, *sureness(view), *_beside(view, body.price)]


def no_price(body: ItemDossier) -> list[Statement]:
    """Why there is no price, and what would help."""
    gap = body.not_enough
    if gap is None:
        return [Statement("The research produced no price.", DOSSIER)]
    statements = [
        Statement("There is not enough evidence for a price.", DOSSIER),
        *each_sentence(gap.reason, DOSSIER),
    ]
    settle = [shortened(what) for what in gap.would_settle]
    return statements + [Statement(f"What would help: {what}.", DOSSIER) for what in settle]


def sureness(view: RecordView) -> list[Statement]:
    """The target's confidence, with the claim's own figure."""
    claim = view.claim(PATHS["target"])
    if claim is None:
        return []
    weak = "" if claim.confidence >= CONFIDENT else ", which is low: treat it as a first guess"
    return [
        Statement(
            f"The target's confidence is {claim.confidence:.0%}{weak}.", (ByClaim(PATHS["target"]),)
        )
    ]


def _target(price: PriceView) -> str:
    return f"The target price is {amount(price.target.amount, price.currency)}, shipping included."


def _edge(price: PriceView, name: str, purpose: str) -> str:
    band = price.floor if name == "floor" else price.ceiling
    return f"The {name}, for {purpose}, is {amount(band.amount, price.currency)}."


def _asked_amount(view: RecordView, price: PriceView, question: str) -> list[Statement]:
    """Where the first amount of the question lies, which is what such a question asks."""
    if not all(is_supported(view, path) for path in PATHS.values()):
        return []
    carriers: tuple[Citation, ...] = tuple(ByClaim(path) for path in PATHS.values())
    return [
        Statement(f"The price in your question is {_place(amount_named, price)}.", carriers)
        for amount_named in _amounts_in(question)[:1]
    ]


def _beside(view: RecordView, price: PriceView) -> list[Statement]:
    item = item_of(view)
    carriers: tuple[Citation, ...] = tuple(ByClaim(path) for path in PATHS.values())
    statements: list[Statement] = []
    own = item.default_price
    if own is not None and item.currency == price.currency:
        words = f"The asking price in the record, {amount(own, item.currency)}, is"
        statements.append(
            Statement(f"{words} {_place(own, price)}.", (ByRecord("defaultPrice"), *carriers))
        )
    return statements


def _amounts_in(question: str) -> list[float]:
    return [float(match[1].replace(",", ".")) for match in _AMOUNT.finditer(question)]


def _place(value: float, price: PriceView) -> str:
    if value < price.floor.amount:
        return "below the range"
    if value > price.ceiling.amount:
        return "above the range"
    if value == price.target.amount:
        return "the target"
    side = "below" if value < price.target.amount else "above"
    return f"within the range, {side} the target"


TOPIC = Topic(
    name="price",
    title="price and its range",
    words=(
        r"\bpric(?:e|es|ing|ed|ey)\b|\bpirces?\b",
        r"\b(?:worth|valued?|values)\b",
        r"\bhow much\b",
        r"\brange\b",
        r"\b(?:floor|target|ceiling|maximum|minimum|highest|lowest)\b",
        r"\b(?:ask|asked|asking|charge|get) (?:for|price)\b|\basked? [$€£]?\d",
        r"\b(?:how (?:sure|certain|confident)|confidence)\b",
        r"\b(?:get|sell|go|take|accept|offer(?:ed|s)?)\b.{0,20}?[$€£]?\d",
        r"\b(?:for|at|take|accept|get) [$€£]?\d",
        r"\b(?:bit|little|kind ?(?:a|of)|rather|pretty|quite|very) (?:high|low|steep)\b",
        r"\b(?:cheap|expensive|overpriced|fair|greedy|steep)\b|\btoo (?:much|low|high|little)\b",
        r"\d\s*(?:obo|ono|ovno|firm|or best offer)\b",
    ),
    answer=from_dossier(compose),
    example="What should I ask for it?",
    decides=(*SURENESS, _SHIPPED, _EITHER),
)
