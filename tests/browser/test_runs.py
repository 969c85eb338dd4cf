"""Runs, jobs and schedules as they are seen: live, through cuts, and by those who may only read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, TypedDict

import httpx
import pytest
from playwright.async_api import Page, expect

from browser.restarts import Server, serve, server
from whence.app import build
from whence.app.platform import Platform
from whence.llm.budget import Budget, CallRecord, Exchange, SentMessage, Spend
from whence.research.context import RunContext
from whence.research.flow import Flow
from whence.research.versions import Flows
from whence.tenancy import tokens
from whence.tenancy.principal import Principal, Role
from whence.work.ledger import Ledger

__all__ = ["serve", "server"]
pytestmark = pytest.mark.anyio
WORKED = 60_000
"""Milliseconds for work on a machine with much other work."""


FALLBACK = CallRecord(
    skill="name_product",
    model="openai:gpt-4.1-mini",
    prompt_version="3",
    outcome="fallback",
    reason="invalid",
    detail="brand: Field required",
    calls=2,
    tokens_in=1_200,
    tokens_out=80,
    exact=True,
    usd=Decimal("0.0021"),
    latency_ms=840,
    reserved=Spend(),
    exchange=Exchange(
        (
            SentMessage("system", "Name the product of this listing.", 0),
            SentMessage("user", "A brass lamp from the harbour office", 1),
        ),
        '{"title": "Brass lamp"}',
        False,
    ),
)
"""A model's answer that was not of the form that was asked for."""


class State(TypedDict, total=False):
    subject_id: str


@dataclass
class Gates:
    """Where the flow of these tests waits until a test lets it go on."""

    read: asyncio.Event = field(default_factory=asyncio.Event)
    weigh: asyncio.Event = field(default_factory=asyncio.Event)


@pytest.fixture
async def gates(platform: Platform) -> AsyncIterator[Gates]:
    """A worker whose research of notes waits at its gates; two of its nodes run side by side."""
    gates = Gates()

    async def read_note(state: State, run: RunContext) -> State:
        await run.report("Reading the first page")
        await gates.read.wait()
        return {}

    async def weigh(state: State, run: RunContext) -> State:
        await run.call("count_words", {"text": "one two"})
        budget = Budget(calls=9, tokens=9_000, usd=Decimal(1), seconds=600)
        await Ledger(run.attempt, run.node, budget).record(FALLBACK)
        await gates.weigh.wait()
        return {}

    async def look_around(state: State, run: RunContext) -> State:
        await gates.weigh.wait()
        return {}

    async def conclude(state: State, run: RunContext) -> State:
        return {}

    flow = Flow(
        "research",
        "1",
        "notes",
        State,
        (read_note, weigh, look_around, conclude),
        (
            ("read_note", "weigh"),
            ("read_note", "look_around"),
            ("weigh", "conclude"),
            ("look_around", "conclude"),
        ),
    )
    async with build.worker(replace(platform, flows=Flows([flow]))):
        yield gates
        gates.read.set()
        gates.weigh.set()


@pytest.fixture
async def api(serve: str, platform: Platform) -> AsyncIterator[httpx.AsyncClient]:
    token = await tokens.issue(platform.db, platform.owner, "test")
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=serve, headers=headers, timeout=60) as client:
        yield client


async def started(api: httpx.AsyncClient, title: str = "Why the ferry waits") -> str:
    """A run of a new note; its id."""
    note = (await api.post("/api/notes", json={"title": title, "text": "one two"})).json()["id"]
    return (await api.post(f"/api/notes/{note}/research")).json()["jobId"]


def node(page: Page, name: str) -> Any:
    return page.get_by_role("list", name="Timeline").get_by_role("button", name=name)


async def test_research_is_seen_as_it_goes_on_from_the_list_to_a_single_call(
    page: Page, api: httpx.AsyncClient, gates: Gates
) -> None:
    await page.goto("/runs")
    await expect(page.get_by_text("Nothing has been researched yet")).to_be_visible()
    await started(api)
    row = page.get_by_role("row").filter(has_text="Why the ferry waits")
    await expect(row.get_by_text("Running")).to_be_visible(timeout=WORKED)
    await started(api, "Why the lamp is out")
    await page.get_by_role("button", name="1 new").click()
    await expect(page.get_by_role("row")).to_have_count(3)

    await page.get_by_role("button", name="Work:").click()
    await expect(page.get_by_role("menuitem", name="Why the lamp is out")).to_be_visible()
    await page.get_by_role("menuitem", name="Why the ferry waits").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Why the ferry waits")
    await expect(node(page, "Read note (running)")).to_contain_text("Reading the first page")
    gates.read.set()
    await expect(node(page, "Read note (done)")).to_be_visible(timeout=WORKED)
    await expect(node(page, "Weigh (running)")).to_be_visible(timeout=WORKED)
    await expect(node(page, "Look around (running)")).to_be_visible()

    await node(page, "Weigh").click()
    sheet = page.get_by_role("complementary", name="Details")
    await sheet.get_by_role("button", name="Count words").click()
    await expect(sheet.get_by_text('"text": "one two"')).to_be_visible()
    await expect(sheet.get_by_text("Weigh starts")).to_be_visible()
    call = sheet.get_by_role("button", name="Name product")
    await expect(call).to_contain_text("Rules instead")
    await expect(call).to_contain_text("1,280 tokens")
    await call.click()
    await expect(sheet.get_by_text("A brass lamp from the harbour office")).to_be_visible()
    await expect(sheet.get_by_text('"title": "Brass lamp"')).to_be_visible()
    gates.weigh.set()
    await expect(node(page, "Conclude (done)")).to_be_visible(timeout=WORKED)
    await expect(page.get_by_role("main").get_by_text("Done", exact=True)).to_be_visible()
    await expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


async def test_a_run_is_caught_up_after_a_restart_of_the_server_and_a_cut_of_the_network(
    page: Page, api: httpx.AsyncClient, gates: Gates, server: Server
) -> None:
    await page.goto(f"/runs/{await started(api)}")
    await expect(node(page, "Read note (running)")).to_be_visible(timeout=WORKED)
    await server.stop()
    await expect(page.get_by_text("reconnecting…")).to_be_visible(timeout=WORKED)
    await expect(page.get_by_text("The server does not answer.")).to_be_visible(timeout=WORKED)
    gates.read.set()
    await server.start()
    await expect(node(page, "Weigh (running)")).to_be_visible(timeout=WORKED)
    await expect(page.get_by_text("reconnecting…")).to_have_count(0)
    await expect(page.get_by_text("The server does not answer.")).to_have_count(0)

    notes = await page.context.new_page()
    await notes.goto("/records/notes")
    await expect(notes.get_by_role("row")).to_have_count(2)
    await page.context.set_offline(True)
    gates.weigh.set()
    for each in (page, notes):
        await expect(each.get_by_text("No network.")).to_be_visible(timeout=WORKED)
    await api.post("/api/notes", json={"title": "Written meanwhile", "text": "one"})
    await page.context.set_offline(False)
    for each in (page, notes):
        await expect(each.get_by_text("Everything is up to date.")).to_be_visible(timeout=WORKED)
    # Told as caught up, it has caught up: nothing is waited for any more.
    assert await node(page, "Conclude (done)").is_visible()
    assert await notes.get_by_role("row").count() == 3
    # Each node once, whatever was sent twice.
    steps = page.get_by_role("list", name="Timeline").get_by_role("listitem")
    await expect(steps).to_have_count(4)


async def test_a_run_is_cancelled_and_a_viewer_and_a_stranger_see_less(
    page: Page,
    new_page: Any,
    api: httpx.AsyncClient,
    gates: Gates,
    platform: Platform,
    new_principal: Any,
) -> None:
    run = await started(api)

    async def page_of(who: Principal) -> Page:
        theirs = await new_page()
        link = await tokens.issue(platform.db, who, "sign-in link", kind="sign_in")
        await theirs.goto(f"/sign-in?token={link}")
        return theirs

    viewer = await page_of(new_principal(Role.VIEWER, platform.owner.org_id))
    await viewer.goto(f"/runs/{run}")
    await expect(node(viewer, "Read note (running)")).to_be_visible(timeout=WORKED)
    for name in ("Cancel", "Resume"):
        await expect(viewer.get_by_role("button", name=name)).to_have_count(0)
    await viewer.goto("/schedules")
    await expect(viewer.get_by_role("heading", level=1)).to_have_text("Schedules")
    await expect(viewer.get_by_role("button", name="New schedule")).to_have_count(0)

    stranger = await page_of(new_principal())
    await stranger.goto("/runs")
    await expect(stranger.get_by_text("Nothing has been researched yet")).to_be_visible()
    await expect(stranger.get_by_role("button", name="Work:")).to_have_count(0)

    await page.goto(f"/runs/{run}")
    await page.get_by_role("button", name="Cancel").click()
    await expect(page.get_by_role("main").get_by_text("Cancelled", exact=True)).to_be_visible(
        timeout=WORKED
    )
    await page.goto("/runs?status=cancelled")
    await expect(page.get_by_role("row").filter(has_text="Why the ferry waits")).to_be_visible()


async def test_a_schedule_is_created_paused_and_started(
    page: Page, api: httpx.AsyncClient, worker: Any
) -> None:
    await api.post("/api/notes", json={"title": "A", "text": "one two"})
    await page.goto("/schedules")
    await page.get_by_role("button", name="New schedule").click()
    form = page.get_by_role("dialog")
    await form.get_by_role("button", name="Create").click()
    await expect(form.get_by_text("Enter a title.")).to_be_visible()
    await form.get_by_role("textbox", name="Title").fill("Recount on Mondays")
    await form.get_by_role("button", name="What to start").click()
    await page.get_by_role("option", name="Count the words of every note").click()
    await form.get_by_role("button", name="When").click()
    await page.get_by_role("option", name="Every week").click()
    await form.get_by_label("At", exact=True).fill("06:30")
    times = form.get_by_role("list", name="Next times").get_by_role("listitem")
    await expect(times).to_have_count(3)
    await expect(times.first).to_contain_text("Monday")
    await form.get_by_role("button", name="Create").click()

    row = page.get_by_role("listitem", name="Recount on Mondays")
    await expect(row.get_by_text("At 06:30 on Monday")).to_be_visible()
    await row.get_by_role("button", name="Pause").click()
    await expect(row.get_by_text("Paused", exact=True)).to_be_visible()
    await row.get_by_role("button", name="Continue").click()
    await expect(row.get_by_text("Paused", exact=True)).to_have_count(0)
    await row.get_by_role("button", name="More for").click()
    await page.get_by_role("menuitem", name="Start now").click()
    await row.get_by_role("link", name="Done").click(timeout=WORKED)
    await expect(page.get_by_role("heading", name="Count the words of every note")).to_be_visible()
    await expect(page.get_by_role("heading", name="Outcome")).to_be_visible()
    await expect(page.get_by_text("Ended: success")).to_be_visible()
    await page.goto("/jobs?status=success")
    await expect(page.get_by_role("row")).to_have_count(2)
