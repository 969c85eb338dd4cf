"""The claims of an item's dossier, each with its cited evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.identification.spelling import spelling
from whence.packs.resale.pricing.bands import PriceBands
from whence.packs.resale.pricing.demand import Signal
from whence.packs.resale.pricing.fee_table import Marketplace
from whence.packs.resale.pricing.fees import Proceeds, SellerCosts
from whence.packs.resale.pricing.market import Coverage
from whence.packs.resale.skills.look_at_photos import CONDITION_BEST
from whence.sdk.evidence import BundledEvidence, Cite, ClaimDraft, Figure

from .dossier_schema import SeenView
from .figures import DEMAND, PRICE, PROCEEDS
from .priced import money
from .state import AI_ANALYSIS

PRICE_METHOD = "rules:price_bands@1"
DEMAND_METHOD = "rules:demand@1"
PROCEEDS_METHOD = "rules:net_proceeds@1"
HALF_SURE_N = 5
"""Number of listings at which a demand figure has confidence 0.5; the confidence is n / (n +
this)."""
SEEN_CONFIDENCE = 0.5
"""Confidence of what a vision model judged: nobody has confirmed it."""
IDENTITY_FIELDS = ("brand", "model", "mpn", "gtin", "category")


@dataclass(frozen=True, slots=True)
class FloorBasis:
    """What a floor was raised by: the fees of a marketplace and the seller's costs."""

    fees: UUID
    settings: Mapping[str, Any]


def identity_claims(
    product: ProductIdentification, method: str, bundle: Sequence[BundledEvidence]
) -> Iterator[ClaimDraft]:
    """One claim for each known field, quoting all evidence that contains it."""
    for name in IDENTITY_FIELDS:
        value: str | None = getattr(product, name)
        if value and (cites := _quoting(value, bundle)):
            yield ClaimDraft(
                path=f"identification.{name}",
                statement=f"Its {name} is {value}.",
                value=value,
                confidence=product.confidence,
                method=method,
                cites=cites,
                note=product.reason,
            )


def seen_claims(seen: SeenView | None, bundle: Sequence[BundledEvidence]) -> Iterator[ClaimDraft]:
    """What a vision model judged, citing its analysis; a suggestion, so of low confidence."""
    keys = [item.evidence.id for item in bundle if item.judgement.role == AI_ANALYSIS]
    if seen is None or not keys:
        return
    cites = _all(keys[-1:])
    for name, value, words in (
        ("condition", seen.condition, f"its condition {seen.condition} of {CONDITION_BEST}"),
        ("conditionNotes", seen.condition_notes, f"the condition as: {seen.condition_notes}"),
        ("completeness", seen.completeness, f"the completeness as: {seen.completeness}"),
    ):
        if value:
            yield ClaimDraft(
                path=f"seen.{name}",
                statement=f"On the photographs, a model judged {words.rstrip(' .')}.",
                value=value,
                confidence=SEEN_CONFIDENCE,
                method=seen.method,
                cites=cites,
            )


def price_claims(
    bands: PriceBands, params: Mapping[str, Any], raised: FloorBasis | None
) -> Iterator[ClaimDraft]:
    """Floor, target and ceiling, citing every comparable behind them; `raised` is what the floor
    was raised by."""
    comps = [used.evidence_id for used in bands.used] + [t.evidence_id for t in bands.trimmed]
    for name, band in (
        ("floor", bands.floor),
        ("target", bands.target),
        ("ceiling", bands.ceiling),
    ):
        settings: dict[str, Any] = {"params": dict(params), "band": name}
        fees: list[UUID] = []
        if name == "floor" and raised is not None:
            settings |= raised.settings
            fees = [raised.fees]
        yield ClaimDraft(
            path=f"price.{name}.amount",
            statement=f"Its {name} price is {money(band.amount):.2f} {bands.currency}.",
            value=money(band.amount),
            confidence=band.confidence,
            method=PRICE_METHOD,
            cites=_all([*fees, *comps]),
            figure=Figure(PRICE, settings),
            note=band.reasoning,
        )


def demand_claims(
    signals: Sequence[Signal],
    comps: Sequence[UUID],
    as_of: str,
    coverage: Sequence[Coverage],
    *,
    active_searched: bool,
) -> Iterator[ClaimDraft]:
    """Each signal with a value; one without is reported as not enough evidence, never claimed."""
    for signal in signals:
        if signal.value is None or not comps:
            continue
        settings = {
            "signal": signal.name,
            "now": as_of,
            "coverage": [asdict(each) for each in coverage],
            "active_searched": active_searched,
        }
        yield ClaimDraft(
            path=f"demand.{signal.name}",
            statement=signal.words,
            value=round(signal.value, 4),
            confidence=signal.n / (signal.n + HALF_SURE_N),
            method=DEMAND_METHOD,
            cites=_all(comps),
            figure=Figure(DEMAND, settings),
        )


def proceeds_claims(
    bands: PriceBands,
    sales: Sequence[Proceeds],
    fees: Mapping[str, UUID],
    params: Mapping[str, Any],
    category: str | None,
    costs: SellerCosts,
) -> Iterator[ClaimDraft]:
    """The proceeds on each marketplace, citing its fees and the comparables behind the target."""
    comps = [used.evidence_id for used in bands.used] + [t.evidence_id for t in bands.trimmed]
    for sale in sales:
        settings = {"params": dict(params), **sale_settings(sale, category, costs)}
        yield ClaimDraft(
            path=f"marketplaces.{sale.marketplace}.net",
            statement=f"{sale.name} leaves {money(sale.net):.2f} {sale.currency} of the target.",
            value=money(sale.net),
            confidence=bands.target.confidence,
            method=PROCEEDS_METHOD,
            cites=_all([fees[sale.marketplace], *comps]),
            figure=Figure(PROCEEDS, settings),
            note=f"fees as of {sale.effective.isoformat()}, {fees_origin(sale)}: {sale.source}",
        )


def sale_settings(sale: Proceeds, category: str | None, costs: SellerCosts) -> dict[str, Any]:
    """What a sale is recomputed from, besides its fees and the price."""
    return {
        "marketplace": sale.marketplace,
        "currency": sale.currency,
        "category": category,
        "costs": asdict(costs),
    }


def fees_origin(fees: Proceeds | Marketplace) -> str:
    """When the fees were read, or that nobody has confirmed them."""
    return "not confirmed" if fees.read is None else f"read on {fees.read.isoformat()}"


def _quoting(value: str, bundle: Sequence[BundledEvidence]) -> tuple[Cite, ...]:
    """Where a value occurs as whole words, in any case: `LG` does not occur in `algae`."""
    written = spelling(value)
    matches = [(item.evidence.id, written.search(item.evidence.content)) for item in bundle]
    return tuple(Cite(key, match[0]) for key, match in matches if match)


def _all(ids: Sequence[UUID | str]) -> tuple[Cite, ...]:
    return tuple(Cite(UUID(str(key))) for key in dict.fromkeys(ids))
