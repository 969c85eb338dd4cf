"""The seller's costs are part of what a sale leaves, and of the floor; both are recomputed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from whence.kernel.clock import now
from whence.packs.resale import pack
from whence.packs.resale.evals.answers import ITEMS, LISTINGS, load_record_views
from whence.packs.resale.evals.shop import Shop, read_sample_items
from whence.packs.resale.records import Item
from whence.sdk.chat import RecordView

pytestmark = pytest.mark.anyio
SAMPLE = pack.FOLDER / "sample"
KETTLE = "KT-014"


@pytest.fixture(scope="module")
def kettle() -> Item:
    items = read_sample_items(SAMPLE / ITEMS, now())
    return items[KETTLE].model_copy(update={"media": []})


async def researched(item: Item) -> RecordView:
    at = now()
    shop = Shop.read(SAMPLE / LISTINGS, at)
    return (await load_record_views({KETTLE: item}, shop, at))[KETTLE]


def body_of(view: RecordView) -> Mapping[str, Any]:
    assert view.dossier is not None
    return view.dossier.body


async def test_what_the_seller_paid_lowers_the_net_and_raises_the_floor_to_break_even(
    kettle: Item,
) -> None:
    plain = body_of(await researched(kettle))
    paid = plain["price"]["floor"]["amount"] * 0.98
    view = await researched(kettle.model_copy(update={"cost": paid, "shipping_cost": 1.0}))
    body = body_of(view)
    floor, target = (body["price"][name]["amount"] for name in ("floor", "target"))
    assert plain["price"]["floor"]["amount"] < floor <= target
    assert body["price"]["floor"]["reasoning"].startswith("Raised from USD")
    best = min((s for s in body["marketplaces"] if s["recommended"]), key=lambda s: s["breakEven"])
    assert floor == pytest.approx(min(best["breakEven"], target))
    for sale in body["marketplaces"]:
        expected = target - sale["fee"] - sale["shipping"] - paid
        assert sale["net"] == pytest.approx(expected, abs=0.02)
    for path in ("price.floor.amount", f"marketplaces.{best['marketplace']}.net"):
        claim = view.claim(path)
        assert claim is not None
        assert claim.verdict == "supported"


async def test_unknown_shipping_is_assumed_and_the_reason_says_so(kettle: Item) -> None:
    sales = body_of(await researched(kettle))["marketplaces"]
    mercari = next(sale for sale in sales if sale["marketplace"] == "mercari")
    assert mercari["shipping"] == 3.0
    assert "assumed" in mercari["reason"]
    assert mercari["read"] == "2026-02-16"
