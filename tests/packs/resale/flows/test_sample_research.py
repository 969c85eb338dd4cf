"""The sample item with photographs, researched whole, held to `sample/expect.yml`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio

PLAIN = [
    "load_context",
    "analyze_media",
    "identify_product",
    "search_comps",
    "analyze_comps",
    "calculate_price",
    "assess_missing",
    "persist_results",
]


@pytest.fixture(scope="module")
async def research(sample_settings: Settings, desk_of: Any) -> AsyncIterator[Any]:
    """HP-001 after its research."""
    async with desk_of(sample_settings) as desk:
        await desk.sample()
        yield await desk.research("HP-001")


@pytest.fixture(scope="module")
def wanted(expected: Mapping[str, Any]) -> Mapping[str, Any]:
    return expected["research"]["HP-001"]


async def test_the_nodes_run_in_the_order_of_the_flow(research: Any) -> None:
    assert research.ended["status"] == "success"
    assert research.nodes == PLAIN


async def test_its_barcode_is_read_from_a_photograph(
    research: Any, wanted: Mapping[str, Any]
) -> None:
    read = {code for photo in research.body["photos"] for code in photo["barcodes"]}
    assert read == {wanted["gtin"]}
    assert len(research.body["photos"]) == wanted["photographs"]


async def test_it_is_identified_by_its_gtin(research: Any, wanted: Mapping[str, Any]) -> None:
    named = research.body["identification"]
    assert named["gtin"] == wanted["gtin"]
    assert named["confidence"] == wanted["identified"]
    assert (named["brand"], named["model"]) == (wanted["brand"], wanted["model"])
    assert research.body["identificationMethod"] == "rules:identify_product@1"


async def test_the_three_bands_are_in_order_and_within_bounds(
    research: Any, wanted: Mapping[str, Any]
) -> None:
    price = research.body["price"]
    floor, target, ceiling = (price[name]["amount"] for name in ("floor", "target", "ceiling"))
    assert floor < target < ceiling
    low, high = wanted["target"]
    assert low <= target <= high
    assert price["target"]["confidence"] >= wanted["least_confidence"]
    assert all(price[name]["reasoning"] for name in ("floor", "target", "ceiling"))


async def test_no_claim_is_uncited_and_every_claim_holds(
    research: Any, wanted: Mapping[str, Any]
) -> None:
    claims = research.dossier["claims"]
    assert len(claims) >= wanted["least_claims"]
    assert sum(not claim["evidence"] for claim in claims) == wanted["uncited_claims"]
    assert [claim["path"] for claim in claims if claim["verdict"] != "supported"] == []
    assert {path.split(".")[0] for path in (claim["path"] for claim in claims)} == {
        "identification",
        "price",
        "demand",
        "marketplaces",
    }


async def test_every_cited_evidence_is_in_the_bundle_and_quotes_are_verbatim(research: Any) -> None:
    by_id = {entry["id"]: entry for entry in research.evidence}
    for claim in research.dossier["claims"]:
        for cite in claim["evidence"]:
            content = by_id[cite["evidenceId"]]["content"]
            if cite.get("quote"):
                assert content[cite["startsAt"] : cite["endsAt"]] == cite["quote"]


async def test_what_is_no_comparable_stays_visible_with_its_reason(
    research: Any, wanted: Mapping[str, Any]
) -> None:
    for source_id, words in wanted["excluded"].items():
        comp = research.comps[source_id]
        assert not comp["included"], comp
        assert words in comp["reason"], comp


async def test_counts_are_as_expected(research: Any, wanted: Mapping[str, Any]) -> None:
    counts = research.body["comps"]
    assert counts["found"] == len(research.comps)
    assert counts["found"] >= wanted["least_found"]
    assert counts["included"] + counts["excluded"] == counts["found"]
    assert counts["priced"] >= wanted["least_priced"]


async def test_the_panel_and_the_reasoning_name_the_same_number_of_listings(research: Any) -> None:
    price, counts = research.body["price"], research.body["comps"]
    prices = [used for used in price["used"] if not used["isBound"]]
    reasoning = price["target"]["reasoning"]
    assert counts["priced"] == len(price["used"])
    assert f"of {len(prices)} comps" in reasoning
    named = sum(
        int(count) for count in re.findall(r"(\d+) (?:sold|asking|ended unsold)", reasoning)
    )
    assert named == counts["priced"]


async def test_nothing_excluded_moves_the_price(research: Any) -> None:
    used = {entry["evidenceId"] for entry in research.body["price"]["used"]}
    assert used
    assert used <= {e["id"] for e in research.comps.values() if e["included"]}


async def test_each_demand_signal_names_unit_period_and_source(research: Any) -> None:
    signals = {signal["name"]: signal for signal in research.body["demand"]}
    assert set(signals) == {"sell_through", "days_to_sell", "active_competition", "season"}
    for signal in signals.values():
        assert signal["unit"]
        assert signal["source"] == "library"
        assert signal["words"]
    assert signals["sell_through"]["periodDays"] == 90


async def test_marketplaces_are_dated_and_the_best_are_recommended(
    research: Any, wanted: Mapping[str, Any]
) -> None:
    sales = research.body["marketplaces"]
    assert {sale["marketplace"] for sale in sales} >= set(wanted["marketplaces"])
    assert any(sale["recommended"] for sale in sales)
    target = research.body["price"]["target"]["amount"]
    for sale in sales:
        assert sale["net"] == pytest.approx(target - sale["fee"] - sale["shipping"], abs=0.02)
        assert sale["effective"]
        assert sale["source"]


async def test_a_source_that_was_not_asked_says_what_would_enable_it(research: Any) -> None:
    sources = {source["id"]: source for source in research.body["sources"]}
    assert sources["library"]["found"] == len(research.comps)
    assert sources["ebay"]["available"] is False
    assert sources["ebay"]["setting"] == "WHENCE_RESALE_EBAY_CLIENT_ID"


async def test_every_piece_of_evidence_is_listed_once(research: Any) -> None:
    counts = Counter((e["role"], e["source"], e["sourceId"]) for e in research.evidence)
    assert max(counts.values()) == 1
