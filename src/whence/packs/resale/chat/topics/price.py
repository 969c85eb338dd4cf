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
    sentence,
    shortened,
    uncapitalized,
)
from whence.packs.resale.flows.dossier_schema import ItemDossier, PriceView
from whence.packs.resale.thresholds import CONFIDENT
from whence.sdk.chat import ByClaim, ByRecord, Citation, RecordView, Statement, Topic

from .quick_sale import QUICK_SALE, is_in_a_hurry

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
_IS_IT_FAIR = (
    r"(?<!for )(?:\b(?:is|are|was|would|s)|'s) (?:asking |about |around |even )?"
    r"[$€£]?\d[\d.,]*(?: ?(?:usd|eur|gbp|dollars?|bucks?|euros?|k))? (?:be )?(?!left|in stock|of|"
    r"pieces?|listings?|days?|weeks?|or\b|hours?|the\b)[a-z]"
)
_LEAST_TAKEN = (
    r"\b(?:lowest|least|minimum|worst|smallest) (?:offer|price|amount|i)?\b.{0,30}"
    r"\b(?:accept|take|go|let it go|agree to|sell)\b|"
    r"\b(?:offer(?:ed|s|ing)?|bids?)\b.{0,20}[$€£]?\d"
)
"""`is 170 pushing it`, `the lowest offer that I should accept`, `someone offered 120`."""
SURENESS = (_ARE_YOU_SURE, _HOW_SURE)
"""Questions for nothing but how sure the research is."""
_WHAT_TO_ASK = (
    r"\b(?:should|could|would|can|shall|do|to) (?:i |we )?(?:list|offer|put|post) "
    r"(?:it|this|them)?\s*(?:up |on \w+ )?(?:at|for)\b(?! \d)"
)
"""`what should I list it at` asks for a price, `what did I list it at` for the record's."""
_ON_TOO_HIGH = (
    r"\b(?:greedy|overpriced|expensive|steep|pushing it|too (?:much|high|dear)|"
    r"(?:bit|little|rather|pretty|quite|very) (?:high|steep))\b"
)
_ON_TOO_LOW = (
    r"\b(?:cheap|underpriced|too (?:low|little|cheap)|"
    r"(?:bit|little|rather|pretty|quite|very) low)\b"
)
_ON_FAIR = (
    r"\b(?:fair|ok|okay|reasonable|realistic|good|right|decent|alright|fine|sensible)\b|"
    r"\b(?:should|shall|can|could) (?:i|we) (?:take|accept|ask|go for)\b"
)
_AMOUNT = re.compile(r"(?<![\w.,-])[$€£]?\s?(\d{1,7}(?:[.,]\d{1,2})?)(?![\w%]|[.,]\d)")


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Target first, then the range, its confidence, and how the owner's price compares."""
    if body.price is None:
        return no_price(body)
    if any(re.search(each, question, re.I) for each in SURENESS):
        return [*sureness(view), *claimed(view, PATHS["target"])]
    if is_in_a_hurry(question) and not _amounts_in(question):
        return for_a_quick_sale(view, body, body.price)
    statements = _asked_amount(view, body.price, question)
    statements += claimed(view, PATHS["target"], _target(body.price))
    statements += claimed(view, PATHS["floor"], _edge(body.price, "floor", "a quick sale"))
    statements += claimed(
        view, PATHS["ceiling"], _edge(body.price, "ceiling", "a sale that can wait")
    )
    if not all(is_supported(view, path) for path in PATHS.values()):
        return statements
    return [*statements, *sureness(view), *_beside(view, body.price)]


def for_a_quick_sale(view: RecordView, body: ItemDossier, price: PriceView) -> list[Statement]:
    """The floor first, the target beside it, and what is known of the time; a day is no promise."""
    floor = f"For a quick sale ask the floor, {amount(price.floor.amount, price.currency)}."
    statements = claimed(view, PATHS["floor"], floor)
    statements += claimed(view, PATHS["target"], _target(price))
    statements.append(Statement("When it sells at the floor cannot be known."))
    times = [each for each in body.demand if each.name == "days_to_sell" and each.value is not None]
    statements += [
        each
        for signal in times
        for each in claimed(
            view, "demand.days_to_sell", sentence(f"Of all, {uncapitalized(signal.words)}")
        )
    ]
    return [*statements, *_beside(view, price)]


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
        Statement(_verdict(question, amount_named, price), carriers)
        for amount_named in _amounts_in(question)[:1]
    ]


def _verdict(question: str, value: float, price: PriceView) -> str:
    """`No, that price is above the range.`, where the question is one for a yes or no."""
    place, answer = _place(value, price), None
    if re.search(_ON_TOO_HIGH, question, re.I):
        answer = value > price.ceiling.amount
    elif re.search(_ON_TOO_LOW, question, re.I):
        answer = value < price.floor.amount
    elif re.search(_ON_FAIR, question, re.I):
        answer = price.floor.amount <= value <= price.ceiling.amount
    if answer is None:
        return f"The price in your question is {place}."
    return f"{'Yes' if answer else 'No'}, that price is {place}."


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
    decides=(
        *SURENESS,
        _SHIPPED,
        _EITHER,
        _IS_IT_FAIR,
        _LEAST_TAKEN,
        _WHAT_TO_ASK,
        QUICK_SALE,
    ),
)
