"""The pack's tools, as chat, MCP and the API call them."""

from __future__ import annotations

from typing import Any

import pytest

from whence.kernel.errors import Invalid
from whence.packs.resale.library.write import count_terms, write_listings
from whence.packs.resale.records import Listing, ListingStatus

pytestmark = pytest.mark.anyio

GTIN = "00012345678905"


@pytest.fixture
async def call(platform: Any) -> Any:
    """`await call("search_listings", text=...)` for the local owner."""
    rows = [
        Listing(
            source="library", source_id=f"{status.value}{n}", title="Corvane lamp", status=status
        )
        for status in (ListingStatus.SOLD, ListingStatus.ACTIVE)
        for n in range(3)
    ]
    rows.append(Listing(source="library", source_id="code", title="Lampe", gtin=GTIN))
    async with platform.unit(platform.owner) as session:
        await write_listings(session, rows)
        await count_terms(session)

    async def make(name: str, **arguments: Any) -> Any:
        context = platform.tool_context(platform.owner, "test")
        return await platform.tools.call(name, arguments, context)

    return make


async def test_listings_are_searched_sold_and_active_by_turns(call: Any) -> None:
    result = await call("search_listings", text="corvane", limit=4)
    kinds = [listing.status.value for listing in result.listings]
    assert kinds == ["sold", "active", "sold", "active"]
    only = await call("search_listings", text="corvane", offer="sold")
    assert {listing.status.value for listing in only.listings} == {"sold"}


@pytest.mark.parametrize(
    "arguments",
    [{}, {"text": "x", "limit": 0}, {"text": "x", "limit": 51}, {"text": "x", "offer": "lookup"}],
)
async def test_a_search_without_sense_is_refused(call: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        await call("search_listings", **arguments)


async def test_a_gtin_is_looked_up_in_the_library(call: Any) -> None:
    result = await call("lookup_gtin", gtin=GTIN)
    assert [entry.title for entry in result.entries] == ["Lampe"]
    assert result.problems == []


async def test_a_price_is_compared_with_sales_and_with_offers_apart(
    platform: Any, call: Any
) -> None:
    sold = [(40.0, 5.0), (60.0, 0.0), (80.0, None), (None, 3.0)]
    rows = [
        Listing(
            source="library",
            source_id=f"{status.value}-priced-{n}",
            title="Zandrel kettle",
            status=status,
            price=price,
            shipping=shipping,
            currency=currency,
        )
        for status, currency in (
            (ListingStatus.SOLD, "USD"),
            (ListingStatus.ENDED, "USD"),
            (ListingStatus.ACTIVE, "EUR"),
        )
        for n, (price, shipping) in enumerate(sold)
    ]
    async with platform.unit(platform.owner) as session:
        await write_listings(session, rows)
        await count_terms(session)
    result = await call("compare_price", price=60, text="zandrel kettle")
    standing = result.sold
    assert (standing.listings, standing.at_or_above, standing.below) == (3, 2, 1)
    assert (standing.lowest, standing.median, standing.highest) == (45.0, 60.0, 80.0)
    assert result.on_offer.listings == 0
    assert result.on_offer.median is None


async def test_a_price_is_compared_with_something(call: Any) -> None:
    with pytest.raises(Invalid):
        await call("compare_price", price=60)


async def test_net_proceeds_are_best_first_and_in_the_currency_asked(call: Any) -> None:
    sales = (await call("net_proceeds", price=100)).marketplaces
    assert {sale.currency for sale in sales} == {"USD"}
    assert all(0 < sale.net < 100 for sale in sales)
    fitting = [sale.net for sale in sales if sale.recommended]
    assert fitting == sorted(fitting, reverse=True)


@pytest.mark.parametrize("price", [-1, float("nan"), 1e12])
async def test_a_price_that_is_none_is_refused(call: Any, price: float) -> None:
    with pytest.raises(Invalid):
        await call("net_proceeds", price=price)
