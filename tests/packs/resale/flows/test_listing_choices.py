"""Comparables that the owner excludes or includes: the price follows, and keeps to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from whence.chat.evidence_choices import service
from whence.chat.evidence_choices.service import (
    Basis,
    ChoicesPreview,
    NotChoosable,
    OutdatedDossier,
)
from whence.chat.proposals import service as proposals
from whence.chat.transcript import history, sessions
from whence.evidence import dossiers, store
from whence.kernel.ids import new_id
from whence.packs.resale.pack import FOLDER
from whence.packs.resale.thresholds import PRICED_RELEVANCE
from whence.records import store as records
from whence.research import listing, runs
from whence.research.tables import RUNS
from whence.work.tables import WorkItem

pytestmark = pytest.mark.anyio


class Owner:
    """Talks about a researched item, decides on proposals, and reads the price."""

    def __init__(self, desk: Any, item: UUID) -> None:
        self.desk, self.item = desk, item
        self.platform, self.who = desk.platform, desk.platform.owner

    async def says(self, content: str) -> Any:
        turns = self.platform.turns
        async with self.platform.unit(self.who) as session:
            chat = (await sessions.open_session(session, self.who, "items", self.item)).id
        turn = await turns.send(self.who, chat, content, str(new_id()))
        await turns.wait_for_turn(turn.turn_id)
        async with self.platform.unit(self.who) as session:
            messages = await history.page(session, chat)
        return next(each for each in messages if each.id == turn.answer.id)

    async def decides(self, decision: Callable[..., Any], answer: Any) -> None:
        """Apply or undo a proposal, and wait for the run that it starts."""
        ident, then = UUID(answer.actions[0]["id"]), self.platform.follow_ups
        async with self.platform.unit(self.who) as session:
            await decision(session, self.who, self.platform.kinds, ident, follow_up=then)
        async with self.platform.unit(self.who) as session:
            [run] = await listing.listed(session, kind="items", limit=1)
        assert run.run_type == "reprice"
        await self.desk.end_of(run.id)

    async def previews(self, choices: dict[UUID, bool], basis: Basis) -> ChoicesPreview:
        kind = self.platform.kind("items")
        offer = self.platform.evidence_choices(kind)
        db = self.platform.db
        return await service.preview(db, self.who, kind, offer, self.item, basis, choices)

    async def chooses(self, choices: dict[UUID, bool], basis: Basis) -> None:
        """Apply choices, and wait for the run that they start."""
        kind, kinds = self.platform.kind("items"), self.platform.kinds
        offer, then = self.platform.evidence_choices(kind), self.platform.follow_ups
        place = (self.platform.db, self.who, kinds, kind, offer, self.item)
        await service.choose(*place, basis, choices, follow_up=then)
        [run] = await self.runs("reprice")
        await self.desk.end_of(run.id)

    async def dossier(self) -> dossiers.Dossier:
        async with self.platform.unit(self.who) as session:
            lane = dossiers.Lane("items", self.item, "research")
            dossier = await dossiers.current(session, lane)
        assert dossier
        return dossier

    async def bands(self) -> list[float]:
        body = (await self.dossier()).body
        return [body["price"][band]["amount"] for band in ("floor", "target", "ceiling")]

    async def comps(self) -> dict[str, Any]:
        """The listings of the current dossier by their id at the source."""
        run_id = (await self.dossier()).run_id
        async with self.platform.unit(self.who) as session:
            bundle = await store.bundle(session, run_id)
        return {each.evidence.source_id: each for each in bundle if each.judgement.role == "comp"}

    async def listing(self, *, included: bool) -> tuple[str, float]:
        """The id and the price of a listing that no other costs as much as, the dearest sold."""
        comps = list((await self.comps()).values())
        prices = [each.evidence.data["price"] for each in comps]
        fitting = [
            (each.evidence.data["price"], each.evidence.source_id)
            for each in comps
            if each.judgement.included is included
            and prices.count(each.evidence.data["price"]) == 1
            and (each.evidence.data["status"] == "sold" or not included)
            and (each.judgement.relevance >= PRICED_RELEVANCE or not included)
        ]
        price, source_id = max(fitting)
        return source_id, price

    async def runs(self, run_type: str) -> list[Any]:
        """The item's runs of a type."""
        async with self.platform.unit(self.who) as session:
            listed = await listing.listed(session, kind="items", limit=20)
        return [each for each in listed if each.run_type == run_type]

    async def waiting_research(self) -> UUID:
        """New research of the item that waits for a person."""
        kind, flow = self.platform.kind("items"), self.platform.flow("items", None)
        question = {"key": "k", "text": "Which?", "required": True}
        async with self.platform.unit(self.who) as session:
            queue = self.platform.queue
            run = await runs.request(session, queue, self.who, kind, flow, self.item)
            paused = update(WorkItem).where(WorkItem.id == run.id).values(status="paused")
            await session.execute(paused)
            await session.execute(update(RUNS).where(RUNS.c.id == run.id).values(question=question))
        return run.id


@pytest.fixture
async def owner(desk: Any) -> Owner:
    """The owner of an item that has been researched."""
    await desk.imported("listings", FOLDER / "sample" / "listings.csv")
    item = await desk.item(
        title="Aurelia QuietBand 700 wireless noise cancelling headphones, black",
        brand="Aurelia",
        model="QuietBand 700",
        condition="good",
    )
    await desk.research(item)
    return Owner(desk, item)


async def test_an_exclusion_moves_the_bands_as_it_said_until_it_is_taken_back(
    owner: Owner,
) -> None:
    first, before = await owner.dossier(), await owner.bands()
    counted, price = await owner.listing(included=True)
    answer = await owner.says(f"exclude the listing at {price}")
    [action] = answer.actions
    assert [each["after"] for each in action["changes"]] == [{f"library:{counted}": "exclude"}]
    assert await owner.bands() == before

    await owner.decides(proposals.apply, answer)
    floor, target, ceiling = await owner.bands()
    assert [floor, target, ceiling] != before
    for band, amount in (("floor", floor), ("target", target), ("ceiling", ceiling)):
        assert f"{band} {amount:.2f} USD" in answer.content
        assert f"{band} {amount:.2f} USD" in action["reason"]
    assert "checked" not in answer.meta  # every figure is in a source
    repriced = await owner.dossier()
    assert repriced.body["asOf"] == first.body["asOf"]
    assert repriced.body["sources"] == first.body["sources"]
    assert [each["name"] for each in repriced.body["demand"]] == [
        each["name"] for each in first.body["demand"]
    ]
    assert {each["verdict"] for each in repriced.claims} == {"supported"}
    judgement = (await owner.comps())[counted].judgement
    assert (judgement.included, judgement.reason) == (False, "the owner excluded it")

    await owner.decides(proposals.apply, await owner.says(f"put the listing at {price} back in"))
    assert await owner.bands() == before
    async with owner.platform.unit(owner.who) as session:
        row = await records.get(session, owner.platform.kind("items"), owner.item)
    assert row.listing_choices == {}


async def test_a_preview_names_the_price_that_follows_and_writes_nothing(owner: Owner) -> None:
    first, before = await owner.dossier(), await owner.bands()
    counted, _ = await owner.listing(included=True)
    choices = {(await owner.comps())[counted].evidence.id: False}
    shown = await owner.previews(choices, Basis(first.id))
    assert [each.before for each in shown.figures[:3]] == before
    assert await owner.bands() == before

    async with owner.platform.unit(owner.who) as session:
        row = await records.get(session, owner.platform.kind("items"), owner.item)
    assert (row.listing_choices, row.version) == ({}, shown.version)
    await owner.chooses(choices, Basis(first.id, shown.version))
    assert await owner.bands() == [each.after for each in shown.figures[:3]]
    with pytest.raises(OutdatedDossier):
        await owner.previews(choices, Basis(first.id))
    now = (await owner.dossier()).id
    with pytest.raises(OutdatedDossier):
        await owner.previews(dict.fromkeys(choices, True), Basis(now, shown.version))
    with pytest.raises(NotChoosable):
        await owner.previews({new_id(): False}, Basis(now))
    back = await owner.previews(dict.fromkeys(choices, True), Basis(now))
    assert [each.after for each in back.figures[:3]] == before


async def test_new_research_keeps_to_the_choice_and_an_undo_takes_it_back(owner: Owner) -> None:
    before = await owner.bands()
    counted, price = await owner.listing(included=True)
    answer = await owner.says(f"please leave out the listing at {price}")
    await owner.decides(proposals.apply, answer)
    await owner.desk.research(owner.item)
    assert not (await owner.comps())[counted].judgement.included
    await owner.decides(proposals.undo, answer)
    after = await owner.bands()
    assert [round(each) for each in after] == [round(each) for each in before]


async def test_a_listing_that_rules_left_out_counts_where_the_owner_says_so(
    owner: Owner,
) -> None:
    left_out, price = await owner.listing(included=False)
    await owner.decides(proposals.apply, await owner.says(f"count the one at {price} after all"))
    judgement = (await owner.comps())[left_out].judgement
    assert (judgement.included, judgement.relevance) == (True, 1.0)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("exclude the pack of 2", "is called “the pack of 2”"),
        ("exclude the black one", "listings fit “the black one”"),
    ],
)
async def test_a_name_that_fits_no_listing_or_several_is_refused_with_their_names(
    owner: Owner, message: str, words: str
) -> None:
    answer = await owner.says(message)
    assert answer.actions == []
    assert words in answer.content


async def test_a_choice_made_while_other_research_is_active_is_priced_once_that_ends(
    owner: Owner,
) -> None:
    before = await owner.bands()
    _, price = await owner.listing(included=True)
    answer = await owner.says(f"exclude the listing at {price}")
    active = await owner.waiting_research()
    ident, then = UUID(answer.actions[0]["id"]), owner.platform.follow_ups
    async with owner.platform.unit(owner.who) as session:
        await proposals.apply(session, owner.who, owner.platform.kinds, ident, follow_up=then)
    assert await owner.runs("reprice") == []

    async with owner.platform.unit(owner.who) as session:
        await runs.cancel(session, owner.who, active)
    async with asyncio.timeout(60):
        while not (repriced := await owner.runs("reprice")):
            await asyncio.sleep(0.05)
    await owner.desk.end_of(repriced[0].id)
    assert await owner.bands() != before
    assert len(await owner.runs("reprice")) == 1
