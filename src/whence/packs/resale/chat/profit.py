"""What a sale at a price that somebody names would leave, on each marketplace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.packs.resale.flows.priced import costs_of, params_of
from whence.packs.resale.flows.state import FEES
from whence.packs.resale.pricing.fee_table import read_fees
from whence.packs.resale.pricing.fees import Proceeds, net_proceeds
from whence.packs.resale.settings import read_settings
from whence.sdk.chat import ByEvidence, ByRecord, ByRule, Citation, RecordView, Statement

from .basis import amount, item_of, sentence, uncapitalized

_LEFT = (
    r"(?:profit|margin|proceeds|net|earn|make|keep|pocket|clear|left|leaves?|take home|after fees|"
    r"walk away with|lose|loss|break even|get out of it)"
)
_AT = r"[$€£]?\s?\d{1,7}(?:[.,]\d{1,2})?(?![\w%]|[.,]\d)"
ASKED = (rf"\b{_LEFT}\b.*?(?<![\w.,-]){_AT}", rf"(?<![\w.,-]){_AT}.*\b{_LEFT}\b")
"""A question for what is left, with a price."""
SHOWN = 3


def asked_price(question: str) -> float | None:
    """The price that a question for what is left names; None if it is another question."""
    if not any(re.search(each, question, re.I) for each in ASKED):
        return None
    figure = re.search(rf"(?<![\w.,-]){_AT}", question)
    digits = re.search(r"\d[\d.,]*", figure[0]) if figure else None
    return float(digits[0].rstrip(".,").replace(",", ".")) if digits else None


def at_price(
    price: float, view: RecordView, body: ItemDossier, question: str
) -> Sequence[Statement]:
    """The proceeds by the fee table, as the research computes them for its target."""
    item, settings = item_of(view), read_settings()
    params = params_of(item, body.identification, body.as_of, settings)
    sales = net_proceeds(
        price,
        read_fees(settings.fee_table),
        currency=item.currency,
        category=item.category or body.identification.category,
        costs=costs_of(item, params),
    )
    if not sales:
        return [Statement(f"I know no fees of marketplaces in {item.currency}.")]
    named = [each for each in sales if _is_named(each, question)]
    shown = named or [each for each in sales if each.recommended] or sales[:1]
    statements = [_statement(each, view) for each in shown[:SHOWN]]
    if item.cost is None:
        words = "What you paid for it is not subtracted: the record does not say it."
        statements.append(Statement(words, (ByRecord("cost"),)))
    return statements


def _statement(sale: Proceeds, view: RecordView) -> Statement:
    at, left = amount(sale.price, sale.currency), amount(sale.net, sale.currency)
    words = sentence(f"At {at}, {sale.name} leaves {left} ({uncapitalized(sale.reason)})")
    computed = ByRule("Computed for this price", f"{words} Fees: {sale.source}")
    fees: list[Citation] = [
        ByEvidence(each.evidence.id)
        for each in view.evidence
        if each.judgement.role == FEES and each.evidence.source_id == sale.marketplace
    ]
    return Statement(words, (computed, *fees))


def _is_named(sale: Proceeds, question: str) -> bool:
    lowered = question.lower()
    return sale.marketplace.lower() in lowered or sale.name.lower() in lowered
