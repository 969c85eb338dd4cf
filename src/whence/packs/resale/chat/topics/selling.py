"""Where to sell it: the proceeds of the target on each marketplace."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat import profit
from whence.packs.resale.chat.basis import (
    DOSSIER,
    amount,
    claimed,
    from_dossier,
    is_supported,
    listed,
    sentence,
    uncapitalized,
)
from whence.packs.resale.flows.dossier_schema import ItemDossier, MarketplaceView
from whence.sdk.chat import ByClaim, Citation, RecordView, Statement, Topic

from .price import no_price


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Only the marketplace in the question, if any; otherwise the recommended ones first.

    A price in the question is computed in place of the target.
    """
    if (price := profit.asked_price(question)) is not None:
        return profit.at_price(price, view, body, question)
    if not body.marketplaces:
        return [
            Statement("Without a price there are no proceeds to compare.", DOSSIER),
            *no_price(body),
        ]
    named = [sale for sale in body.marketplaces if _is_named(sale, question)]
    if named:
        return [each for sale in named for each in _in_full(view, sale)]
    best = [s for s in body.marketplaces if s.recommended and is_supported(view, _path(s))]
    statements: list[Statement] = []
    if best:
        carriers: tuple[Citation, ...] = tuple(ByClaim(_path(sale)) for sale in best)
        words = f"By what is left after fees, the places to sell it are {_names(best)}."
        statements.append(Statement(words, (*carriers, *DOSSIER)))
    return statements + [each for sale in body.marketplaces for each in _in_short(view, sale)]


def _in_full(view: RecordView, sale: MarketplaceView) -> list[Statement]:
    statements = _in_short(view, sale)
    if is_supported(view, _path(sale)):
        origin = f"read on {sale.read:%Y-%m-%d}" if sale.read else "not confirmed"
        dated = f"Its fees are those of {sale.effective:%Y-%m-%d}, {origin} ({sale.source})."
        statements.append(Statement(dated, (ByClaim(_path(sale)),)))
    return statements


def _in_short(view: RecordView, sale: MarketplaceView) -> list[Statement]:
    remaining = amount(sale.net, sale.currency)
    why = uncapitalized(sale.reason)
    words = sentence(f"{sale.name} leaves {remaining} of the target ({why})")
    return [
        Statement(claim.text, (*claim.by, *DOSSIER)) for claim in claimed(view, _path(sale), words)
    ]


def _path(sale: MarketplaceView) -> str:
    return f"marketplaces.{sale.marketplace}.net"


def _is_named(sale: MarketplaceView, question: str) -> bool:
    return sale.marketplace.lower() in question.lower() or sale.name.lower() in question.lower()


def _names(sales: Sequence[MarketplaceView]) -> str:
    return listed([sale.name for sale in sales])


TOPIC = Topic(
    name="selling",
    title="where to sell it, fees and what is left",
    words=(
        r"\bwhere\b",
        r"\b(?:fees?|commission|costs?|cut|charges?)\b",
        r"\b(?:net|proceeds|profit|keep|left|leaves?|earn|pocket|payout|take home)\b",
        r"\b(?:marketplaces?|platforms?|venues?|sites?|channels?)\b",
        r"\b(?:ebay|mercari|facebook|amazon|poshmark|etsy|depop)\b",
        r"\b(?:best|better) (?:place|to sell|option)\b",
    ),
    answer=from_dossier(compose),
    example="Where should I sell it, and what would I keep?",
    decides=profit.ASKED,
)
