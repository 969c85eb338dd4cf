"""What people decide on a run's page, and what those who may only read see instead."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, TypedDict

import httpx
import psycopg
import pytest
from playwright.async_api import Page, expect

from browser.items import api_of, researched
from chat.proposal_desk import Desk
from whence.app import build
from whence.app.platform import Platform
from whence.kernel.errors import Invalid
from whence.research.context import RunContext
from whence.research.flow import Flow
from whence.research.questions import Question
from whence.research.versions import Flows
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio
WORKED = 60_000
WRITES = re.compile(
    "^(Answer|Go on without|Resume|Cancel|Start|Pause|Continue|Apply|Dismiss|Undo|New )"
)
"""Names of buttons that change something."""
QUESTION = Question(key="identity", text="What is it?", why="It decides.", required=False)


class State(TypedDict, total=False):
    subject_id: str


@pytest.fixture
async def api(serve: str, platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    async with await api_of(platform, serve) as client:
        yield client


@pytest.fixture
async def asking(platform: Platform) -> AsyncIterator[list[bool]]:
    """A worker whose research asks a question, and fails as long as the list is not empty."""
    failing = [True]

    async def identify(state: State, run: RunContext) -> State:
        await run.ask(QUESTION)
        return {}

    async def conclude(state: State, run: RunContext) -> State:
        if failing:
            raise Invalid("The scales are away.")
        return {}

    flow = Flow("research", "1", "notes", State, (identify, conclude), (("identify", "conclude"),))
    async with build.worker(replace(platform, flows=Flows([flow]))):
        yield failing


async def test_a_question_is_answered_and_a_failed_run_resumed_on_its_page_but_by_no_viewer(
    page: Page,
    new_page: Any,
    sign_in: Any,
    api: httpx.AsyncClient,
    asking: list[bool],
    platform: Platform,
    new_principal: Any,
    database_url: str,
) -> None:
    note = (await api.post("/api/notes", json={"title": "A lamp", "text": "b"})).json()["id"]
    run = (await api.post(f"/api/notes/{note}/research")).json()["jobId"]
    await page.goto(f"/runs/{run}")
    main = page.get_by_role("main")
    answer = main.get_by_role("textbox", name="What is it?")
    await expect(answer).to_be_visible(timeout=WORKED)
    # The question itself offers to go on without an answer; nothing else does the same.
    await expect(main.get_by_role("button", name="Go on without")).to_be_visible()
    await expect(main.get_by_role("button", name="Resume")).to_have_count(0)

    desk = Desk(platform)
    reader = new_principal(Role.MEMBER, platform.owner.org_id)
    await desk.propose(await desk.note("Two"), reader, text="new words")
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "UPDATE whence.memberships SET role = 'viewer' WHERE user_id = %s", (reader.user_id,)
        )
    schedule = {"title": "Count", "job": "sample_pack.recount", "everySeconds": 21_600}
    made = (await api.post("/api/schedules", json=schedule)).json()["id"]
    job = (await api.post(f"/api/schedules/{made}/start")).json()["lastJobId"]
    theirs = await new_page()
    await sign_in(theirs, replace(reader, role=Role.VIEWER))
    for address, words in (
        (f"/runs/{run}", "It waits for an answer to"),
        (f"/jobs/{job}", "Count"),
        ("/schedules", "Count"),
        ("/inbox", "does not decide"),
    ):
        await theirs.goto(address)
        await expect(theirs.get_by_role("main").get_by_text(words).first).to_be_visible()
        await expect(theirs.get_by_role("main").get_by_role("button", name=WRITES)).to_have_count(0)

    await answer.fill("A lamp")
    await main.get_by_role("button", name="Answer", exact=True).click()
    await expect(main.get_by_text("The scales are away.").first).to_be_visible(timeout=WORKED)
    asking.clear()
    await main.get_by_role("button", name="Resume").click()
    await expect(main.get_by_text("Done", exact=True).first).to_be_visible(timeout=WORKED)


async def test_a_shadow_is_compared_claim_by_claim_on_the_page_of_its_run(
    page: Page, api: httpx.AsyncClient, worker: Any
) -> None:
    note = (await api.post("/api/notes", json={"title": "A", "text": "one two"})).json()["id"]
    await researched(api, f"notes/{note}")
    await api.patch(f"/api/notes/{note}", json={"text": "one two three"})
    run = (await researched(api, f"notes/{note}", lane="shadow", version="1"))["id"]
    await page.goto(f"/runs/{run}")
    await page.get_by_role("tab", name="Comparison").click()
    compared = page.get_by_role("tabpanel")
    await expect(compared).to_contain_text("0 of 1 claims agree")
    row = compared.get_by_role("row").filter(has_text="Words")
    await expect(row.get_by_role("cell").nth(0)).to_contain_text("2")
    await expect(row.get_by_role("cell").nth(1)).to_contain_text("3")
    await expect(row.get_by_role("cell").nth(2)).to_contain_text("value")
