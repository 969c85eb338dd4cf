"""A refresh of the price: new comparables; what the item is, with its evidence, stays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from psycopg.conninfo import conninfo_to_dict

from databases import cloned
from whence.chat.transcript import history, sessions
from whence.evidence import dossiers, store
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.packs.resale.pack import FOLDER
from whence.records import store as records
from whence.research import run_steps, runs
from whence.research.earlier import NothingToBuildOn
from whence.research.runs import WantedRun
from whence.work.tables import FINISHED

pytestmark = pytest.mark.anyio


class Seller:
    """Asks for research of an item by type, and reads what came of it."""

    def __init__(self, desk: Any) -> None:
        self.desk, self.platform, self.who = desk, desk.platform, desk.platform.owner

    async def ask(self, item: UUID, run_type: str | None = None) -> UUID:
        async with self.platform.unit(self.who) as session:
            run = await self.platform.ask(
                session, self.who, self.platform.kind("items"), item, wanted=WantedRun(run_type)
            )
        return run.id

    async def research(self, item: UUID, run_type: str | None = None) -> runs.Run:
        return await self.until_over(await self.ask(item, run_type))

    async def until_over(self, run_id: UUID) -> runs.Run:
        async with asyncio.timeout(120):
            while True:
                async with self.platform.unit(self.who) as session:
                    run = await runs.get(session, run_id)
                if run.status in FINISHED:
                    return run
                await asyncio.sleep(0.05)

    async def dossier(self, run_id: UUID) -> tuple[dossiers.Dossier, list[Any]]:
        async with self.platform.unit(self.who) as session:
            dossier = await dossiers.of_run(session, run_id)
            assert dossier
            return dossier, await store.bundle(session, run_id)

    async def change(self, item: UUID, **values: object) -> None:
        kind = self.platform.kind("items")
        async with self.platform.unit(self.who) as session:
            await records.patch(session, self.who, kind, item, values, None)


@pytest.fixture
def seller(desk: Any) -> Seller:
    return Seller(desk)


@pytest.fixture(scope="module")
async def researched(sample_settings: Settings, desk_of: Any) -> str:
    """The name of a database in which the sample's item with photographs has been researched."""
    async with desk_of(sample_settings) as desk:
        await desk.sample()
        await desk.research("HP-001")
    assert sample_settings.database_url
    return str(conninfo_to_dict(sample_settings.database_url.get_secret_value())["dbname"])


@pytest.fixture
def database_url(postgres: str, researched: str) -> Iterator[str]:
    """A copy of that database."""
    with cloned(postgres, researched) as url:
        yield url


@pytest.fixture
async def item(seller: Seller) -> UUID:
    """The item that has been researched."""
    async with seller.platform.unit(seller.who) as session:
        return (await records.resolve(session, seller.platform.kind("items"), "HP-001")).id


async def test_a_refresh_prices_anew_and_cites_what_identified_the_item(
    desk: Any, seller: Seller, item: UUID, tmp_path: Path
) -> None:
    async with seller.platform.unit(seller.who) as session:
        lane = dossiers.Lane("items", item, "research")
        first = await dossiers.current(session, lane)
    assert first
    path = tmp_path / "more.csv"
    rows = (FOLDER / "sample" / "listings.csv").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([rows[0], rows[-1].replace("S-", "NEW-", 1)]), encoding="utf-8")
    await desk.imported("listings", path)
    run = await seller.research(item, "pricing_refresh")
    assert (run.status, run.run_type) == ("success", "pricing_refresh")
    async with seller.platform.unit(seller.who) as session:
        steps = {step.node: step.status for step in await run_steps.steps(session, run.id)}
    assert (steps["analyze_media"], steps["identify_product"]) == ("skipped", "skipped")
    dossier, bundle = await seller.dossier(run.id)
    assert dossier.is_current
    assert dossier.body["identification"] == first.body["identification"]
    assert dossier.body["photos"] == first.body["photos"]
    assert dossier.body["identifiedAt"] == first.body["asOf"]
    assert dossier.body["price"] is not None
    assert dossier.body["asOf"] > first.body["asOf"]
    _, before = await seller.dossier(first.run_id)
    known = {each.evidence.id for each in before if each.judgement.role in ("photo", "catalogue")}
    carried = {each.evidence.id for each in bundle if each.judgement.role in ("photo", "catalogue")}
    assert carried == known != set()
    claims = [each for each in dossier.claims if each["path"].startswith("identification.")]
    assert claims
    assert {each["verdict"] for each in claims} == {"supported"}
    assert {each["path"] for each in claims} == {
        each["path"] for each in first.claims if each["path"].startswith("identification.")
    }


async def test_a_refresh_of_a_refresh_knows_when_the_item_was_identified(
    seller: Seller, item: UUID
) -> None:
    async with seller.platform.unit(seller.who) as session:
        first = await dossiers.current(session, dossiers.Lane("items", item, "research"))
    assert first
    for _ in range(2):
        run = await seller.research(item, "pricing_refresh")
    dossier, _ = await seller.dossier(run.id)
    assert dossier.body["identifiedAt"] == first.body["asOf"]


async def test_an_item_that_was_never_researched_is_not_refreshed(
    desk: Any, seller: Seller
) -> None:
    item = await desk.item(title="Corvane L3 desk lamp")
    with pytest.raises(NothingToBuildOn, match="request 'manual_request' or 'initial_intake'"):
        await seller.ask(item, "pricing_refresh")


@pytest.mark.parametrize("values", [{"title": "Corvane kettle"}, {"gtin": None, "model": "X9"}])
async def test_an_item_that_changed_since_is_identified_again(
    seller: Seller, item: UUID, values: dict[str, object]
) -> None:
    await seller.change(item, **values)
    run = await seller.research(item, "pricing_refresh")
    assert run.status == "error"
    assert "manual_request" in str(run.error)


async def test_what_the_owner_confirmed_of_it_or_what_else_changed_is_no_reason(
    seller: Seller, item: UUID
) -> None:
    async with seller.platform.unit(seller.who) as session:
        first = await dossiers.current(session, dossiers.Lane("items", item, "research"))
    assert first
    named = first.body["identification"]
    await seller.change(item, brand=named["brand"], model=named["model"], default_price=99)
    assert (await seller.research(item, "pricing_refresh")).status == "success"


async def _said(seller: Seller, item: UUID, *contents: str) -> list[Any]:
    turns = seller.platform.turns
    async with seller.platform.unit(seller.who) as session:
        chat = (await sessions.open_session(session, seller.who, "items", item)).id
    for content in contents:
        turn = await turns.send(seller.who, chat, content, str(new_id()))
        await turns.wait_for_turn(turn.turn_id)
    async with seller.platform.unit(seller.who) as session:
        return [each for each in await history.page(session, chat) if each.role == "assistant"]


async def test_a_conversation_refreshes_the_price_where_only_that_is_asked_for(
    seller: Seller, item: UUID
) -> None:
    for content, expected in (
        ("Please refresh the price", "pricing_refresh"),
        ("please update the pricing with new comparables", "pricing_refresh"),
        ("Please research it again with the photos and the price", "manual_request"),
    ):
        [answer] = await _said(seller, item, content)
        assert answer.intent == "research", content
        run = await seller.until_over(UUID(answer.meta["research"]["jobId"]))
        assert run.run_type == expected, content
        refreshes = expected == "pricing_refresh"
        assert ("a refresh of the price" in answer.content) is refreshes


async def test_a_conversation_researches_an_item_that_has_nothing_to_refresh(
    desk: Any, seller: Seller
) -> None:
    item = await desk.item(title="Corvane L3 desk lamp")
    [answer] = await _said(seller, item, "Please refresh the price")
    run = await seller.until_over(UUID(answer.meta["research"]["jobId"]))
    assert run.run_type == "manual_request"
    assert answer.content.startswith(
        "This item has no complete research yet, so I have started a full research instead of a "
        "refresh of the price."
    )
