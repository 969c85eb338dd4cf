"""Laws that hold for any evidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.packs.resale.pricing.bands import NotEnough, PriceBands, price_bands
from whence.packs.resale.pricing.comps import Comp
from whence.packs.resale.pricing.estimate import estimate_price, recompute_band
from whence.packs.resale.pricing.params import BandParams, band_params
from whence.packs.resale.records import Condition, ListingStatus

NOW = datetime(2025, 6, 1, tzinfo=UTC)
PARAMS = band_params(NOW, condition=Condition.GOOD)
law = settings(max_examples=60)


@st.composite
def comps(draw: st.DrawFn, least: float = 0.0, span: tuple[float, float] = (1, 2000)) -> Comp:
    age = draw(st.none() | st.integers(0, 700))
    return Comp(
        evidence_id=draw(st.uuids()),
        price=draw(st.floats(*span)),
        shipping=draw(st.none() | st.floats(0, 20)),
        condition=draw(st.none() | st.sampled_from(Condition)),
        status=draw(st.sampled_from(ListingStatus)),
        closed_at=None if age is None else NOW - timedelta(days=age),
        relevance=draw(st.floats(least, 1)),
    )


def same(one: dict[str, float], other: dict[str, float], scale: float = 1.0) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        factor = 1.0 if name == "confidence" else scale
        assert value * factor == pytest.approx(other[name], rel=1e-6)


@law
@given(st.lists(comps(), max_size=12))
def test_floor_target_and_ceiling_stand_in_order_and_confidence_is_a_probability(
    comparables: list[Comp],
) -> None:
    bands = price_bands(comparables, Condition.GOOD, NOW)
    if isinstance(bands, NotEnough):
        assert bands.reason
        assert bands.would_settle
        return
    assert 0 < bands.floor.amount <= bands.target.amount <= bands.ceiling.amount
    for band in (bands.floor, bands.target, bands.ceiling):
        assert 0 <= band.confidence <= 1
        assert band.reasoning
    assert bands.floor.confidence <= bands.target.confidence


@law
@given(st.lists(comps(), max_size=12), st.floats(0.01, 100))
def test_prices_in_another_unit_give_the_same_bands_in_that_unit(
    comparables: list[Comp], scale: float
) -> None:
    scaled = [
        replace(
            comp,
            price=(comp.price or 0) * scale,
            shipping=None if comp.shipping is None else comp.shipping * scale,
        )
        for comp in comparables
    ]
    in_that_unit = PARAMS.model_copy(
        update={"shipping_typical": (PARAMS.shipping_typical or 0) * scale}
    )
    same(recompute_band(comparables, PARAMS), recompute_band(scaled, in_that_unit), scale)


@law
@given(st.lists(comps(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_evidence_does_not_matter(comparables: list[Comp], random: object) -> None:
    shuffled = list(comparables)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert recompute_band(comparables, PARAMS) == pytest.approx(recompute_band(shuffled, PARAMS))


@law
@given(st.lists(comps(), max_size=10), st.lists(comps(), max_size=5))
def test_a_listing_below_the_pricing_threshold_never_changes_a_figure(
    comparables: list[Comp], others: list[Comp]
) -> None:
    irrelevant = [replace(comp, relevance=min(comp.relevance, 0.69)) for comp in others]
    assert recompute_band([*comparables, *irrelevant], PARAMS) == recompute_band(
        comparables, PARAMS
    )


@law
@given(st.lists(comps(), max_size=10), comps(least=0.7))
def test_a_listing_in_another_currency_never_changes_a_figure(
    comparables: list[Comp], other: Comp
) -> None:
    foreign = replace(other, currency="EUR")
    assert recompute_band([*comparables, foreign], PARAMS) == recompute_band(comparables, PARAMS)


@law
@given(st.lists(comps(least=0.7, span=(80, 120)), min_size=1, max_size=8), comps(least=0.7))
def test_among_coherent_sales_one_more_that_agrees_never_lowers_confidence(
    comparables: list[Comp], more: Comp
) -> None:
    alike = {"shipping": 0.0, "condition": Condition.GOOD, "status": ListingStatus.SOLD}
    text = [replace(comp, **alike) for comp in comparables]
    before = estimate_price(text, PARAMS)
    if before is None:
        return
    after = estimate_price([*text, replace(more, price=before.target, **alike)], PARAMS)
    assert after is not None
    assert after.confidence >= before.confidence - 1e-9


@law
@given(st.lists(comps(least=0.6), min_size=1, max_size=12))
def test_the_used_comps_alone_give_the_same_figures_again(comparables: list[Comp]) -> None:
    estimate = estimate_price(comparables, PARAMS)
    if estimate is None:
        assert recompute_band(comparables, PARAMS) == {}
        return
    alone = [used.comp for used in estimate.used]
    same(recompute_band(alone, PARAMS), recompute_band(comparables, PARAMS))


@law
@given(st.lists(comps(least=0.6), min_size=1, max_size=6))
def test_parameters_survive_being_stored_with_the_claim(comparables: list[Comp]) -> None:
    stored = BandParams.model_validate_json(PARAMS.model_dump_json())
    assert recompute_band(comparables, stored) == recompute_band(comparables, PARAMS)


@law
@given(st.lists(comps(), max_size=12))
def test_every_comp_is_either_used_or_left_with_a_reason(comparables: list[Comp]) -> None:
    bands = price_bands(comparables, Condition.GOOD, NOW)
    if not isinstance(bands, PriceBands):
        return
    named = [entry.evidence_id for entry in (*bands.used, *bands.trimmed, *bands.left_out)]
    assert sorted(map(str, named)) == sorted(str(comp.evidence_id) for comp in comparables)
    assert sum(used.share for used in bands.used) == pytest.approx(1)
    assert all(entry.reason for entry in (*bands.trimmed, *bands.left_out))
