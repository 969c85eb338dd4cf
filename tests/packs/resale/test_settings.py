"""Thresholds are settings, and one that contradicts another is refused by name."""

from __future__ import annotations

from uuid import uuid4

import pytest

from whence.packs.resale.evals.planted import AGE, NOW
from whence.packs.resale.flows.nodes.analyze_comps import judged
from whence.packs.resale.flows.priced import params_of
from whence.packs.resale.flows.state import COMP
from whence.packs.resale.identification.records import ProductIdentification
from whence.packs.resale.matching.scorer import Relevance
from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.records import Item, ListingStatus
from whence.packs.resale.settings import ResaleSettings, read_settings
from whence.sdk.errors import Misconfigured
from whence.sdk.evidence import BundledEvidence, EvidenceRecord, Judgement

NAMED = ProductIdentification(title="thing", confidence=0.9, reason="a test")


def priced(settings: ResaleSettings) -> PriceBands | NotEnough:
    comp = Comp(
        evidence_id="one",
        price=100.0,
        shipping=0.0,
        status=ListingStatus.SOLD,
        closed_at=NOW - AGE,
        relevance=0.75,
    )
    params = params_of(Item(title="thing"), NAMED, NOW.isoformat(), settings)
    return price_bands([comp], None, NOW, params=params)


def test_a_listing_moves_the_price_from_the_relevance_that_is_set() -> None:
    assert isinstance(priced(ResaleSettings()), PriceBands)
    assert isinstance(priced(ResaleSettings(priced_relevance=0.8)), NotEnough)


@pytest.mark.parametrize(("threshold", "included"), [(0.5, True), (0.7, False)])
def test_a_listing_is_kept_from_the_relevance_that_is_set(threshold: float, included: bool) -> None:
    key = uuid4()
    listing = EvidenceRecord(key, "ebay", "1", None, "thing", "thing", {}, None, NOW)
    bundled = BundledEvidence(listing, Judgement(key, COMP, included=False, reason="not yet"))
    relevance = Relevance(0.6, "matches 3 of 5 distinctive words")
    assert judged(bundled, relevance, threshold).included is included


def test_a_price_threshold_below_the_kept_one_is_refused_by_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WHENCE_RESALE_KEPT_RELEVANCE", "0.8")
    with pytest.raises(Misconfigured, match="WHENCE_RESALE_PRICED_RELEVANCE"):
        read_settings()
