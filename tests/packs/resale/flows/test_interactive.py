"""An interactive run asks the owner what an item is where nothing else tells."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from whence.evidence import dossiers, store
from whence.research import answers, runs

pytestmark = pytest.mark.anyio
VAGUE = "old desk lamp"


class Owner:
    """Asks for research at a desk, and answers its questions."""

    def __init__(self, desk: Any) -> None:
        self.platform = desk.platform

    async def ask(self, item: UUID, **options: Any) -> UUID:
        platform = self.platform
        async with platform.unit(platform.owner) as session:
            kind, flow = platform.kind("items"), platform.flow("items", None)
            submitted = await runs.request(
                session, platform.queue, platform.owner, kind, flow, item, options=options
            )
        return submitted.id

    async def until(self, run_id: UUID, *statuses: str) -> Any:
        async with asyncio.timeout(60):
            while True:
                async with self.platform.unit(self.platform.owner) as session:
                    run = await runs.get(session, run_id)
                if run.status in statuses:
                    return run
                await asyncio.sleep(0.05)

    async def answer(self, run_id: UUID, value: object) -> None:
        platform = self.platform
        async with platform.unit(platform.owner) as session:
            await answers.answer(session, platform.queue, platform.owner, run_id, value, "identity")

    async def result(self, run_id: UUID) -> tuple[Any, list[Any]]:
        async with self.platform.unit(self.platform.owner) as session:
            dossier = await dossiers.of_run(session, run_id)
            assert dossier is not None
            return dossier, await store.bundle(session, run_id)


@pytest.fixture
def owner(desk: Any) -> Owner:
    return Owner(desk)


async def test_the_answer_names_the_product_and_is_cited(desk: Any, owner: Owner) -> None:
    item = await desk.item(title=VAGUE)
    run_id = await owner.ask(item, interactive=True)
    run = await owner.until(run_id, "paused", "success", "error")
    assert run.status == "paused"
    assert run.question["text"].startswith("What brand and exact model is it")
    assert "only the title is known" in run.question["why"]
    await owner.answer(run_id, "Corvane L3, barcode 4006381333931")
    run = await owner.until(run_id, "success", "error")
    dossier, bundle = await owner.result(run_id)
    named = dossier.body["identification"]
    assert (named["brand"], named["model"], named["gtin"]) == ("Corvane", "L3", "04006381333931")
    [text] = [entry for entry in bundle if entry.evidence.source == "answer"]
    claims = {claim["path"]: claim for claim in dossier.claims}
    for path in ("identification.brand", "identification.model", "identification.gtin"):
        assert claims[path]["verdict"] == "supported"
        cited = [one["evidenceId"] for one in claims[path]["evidence"]]
        assert str(text.evidence.id) in cited
    assert "Corvane L3" in dossier.body["queries"][0]


async def test_not_knowing_goes_on_as_without_a_question(desk: Any, owner: Owner) -> None:
    submitted = await owner.ask(await desk.item(title=VAGUE), interactive=True)
    await owner.until(submitted, "paused", "success", "error")
    await owner.answer(submitted, None)
    silent = await owner.ask(await desk.item(title=VAGUE))
    for run_id in (submitted, silent):
        assert (await owner.until(run_id, "paused", "success", "error")).status == "success"
    one, other = [(await owner.result(run_id))[0] for run_id in (submitted, silent)]
    assert one.body["identification"] == other.body["identification"]
    assert (one.summary, one.body["queries"]) == (other.summary, other.body["queries"])


async def test_an_item_that_is_known_is_not_asked_about(desk: Any, owner: Owner) -> None:
    item = await desk.item(title="Corvane Lumen L3 lamp", brand="Corvane", model="L3")
    run_id = await owner.ask(item, interactive=True)
    assert (await owner.until(run_id, "paused", "success", "error")).status == "success"


async def test_only_the_model_is_asked_for_where_the_brand_is_known(
    desk: Any, owner: Owner
) -> None:
    run_id = await owner.ask(await desk.item(title=VAGUE, brand="Corvane"), interactive=True)
    run = await owner.until(run_id, "paused", "success", "error")
    assert run.question["text"].startswith("What exact model is it")
