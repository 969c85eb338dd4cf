"""A run's page in a real browser while 200 events a second arrive: is it still smooth?"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from playwright.async_api import CDPSession, Page, async_playwright

from bench.figures import Figure, p95
from whence.app import build
from whence.app.platform import Platform
from whence.events import log
from whence.events.types import JobStarted, NodeComplete, NodeStarted, Progress
from whence.kernel.clock import now
from whence.kernel.settings import Settings
from whence.records import store
from whence.tenancy import tokens
from whence.transports.serve import serve

EVENTS_PER_SECOND = 200
BATCH = 10
"""Events of one transaction: twenty transactions a second, as of many branches at once."""
SECONDS = 20
BRANCHES = 20
DRAWN_MS = 2_000
LONG_TASK_MS = 50
"""Above this, a browser calls a task long: a click would wait for it."""
WATCH = """() => {
  window.seen = { frames: [], long: [] };
  let last = performance.now();
  const tick = (at) => { seen.frames.push(at - last); last = at; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.long.push(entry.duration);
  }).observe({ type: "longtask" });
}"""


async def measure(home: Path) -> list[Figure]:
    """Frames, long tasks and memory of the page, beside the same page while nothing arrives."""
    home.mkdir(parents=True)  # noqa: ASYNC240 (nothing else runs yet)
    async with build.platform(Settings(home=home)) as platform, _served(platform) as url:
        run = await _run(platform)
        async with _browser(url, platform) as page:
            await page.goto(f"/runs/{run}")
            await page.get_by_role("list", name="Timeline").wait_for()
            tools = await page.context.new_cdp_session(page)
            quiet, _ = await _watched(page, asyncio.sleep(SECONDS / 2))
            await _append(platform, run, seconds=2)
            before = await _heap(tools)
            frames, long = await _watched(page, _append(platform, run, seconds=SECONDS))
            # The page has drawn what came last, and not just been left alone.
            turns = 1 + SECONDS * EVENTS_PER_SECOND // BATCH // BRANCHES  # steps are numbered anew
            await page.get_by_text(f"{turns} turns").first.wait_for(timeout=DRAWN_MS)
            after = await _heap(tools)
    name = f"run page, {EVENTS_PER_SECOND} events a second"
    blocked = sum(duration - LONG_TASK_MS for duration in long)
    return [
        Figure(f"{name}: frames a second", 1000 * len(frames) / sum(frames), "",
               "the same page at rest", 1000 * len(quiet) / sum(quiet)),
        Figure(f"{name}: frame, p95", p95(frames), "ms", "at rest", p95(quiet), target=50.0),
        Figure(f"{name}: longest task", max(long, default=0.0), "ms", target=200.0),
        Figure(f"{name}: blocked a second", blocked / SECONDS, "ms", target=50.0),
        Figure(f"{name}: memory that stays after {SECONDS} s", after - before, "MB", target=5.0),
    ]  # fmt: skip


@asynccontextmanager
async def _served(platform: Platform) -> AsyncIterator[str]:
    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(platform, "127.0.0.1", 0, url.set_result))
    try:
        yield await url
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _run(platform: Platform) -> UUID:
    """A run that no worker takes, so that its events are this benchmark's alone."""
    owner, kind = platform.owner, platform.kind("items")
    async with platform.unit(owner) as session:
        item = await store.create(session, owner, kind, kind.record(title="A lamp"))
        submitted = await platform.ask(session, owner, kind, item.id)
        await log.append(session, submitted.id, JobStarted(attempt=1, resumed=False))
        for step in range(1, BRANCHES + 1):
            begun = NodeStarted(node="measure", step=step, attempt=1, branch=f"part {step}")
            await log.append(session, submitted.id, begun)
    return submitted.id


async def _append(platform: Platform, run: UUID, *, seconds: float) -> None:
    """Append events through the log, as a worker does; one in ten ends a step."""
    loop = asyncio.get_running_loop()
    began, step = loop.time(), BRANCHES
    for number in range(int(seconds * EVENTS_PER_SECOND / BATCH)):
        await asyncio.sleep(max(0.0, began + number * BATCH / EVENTS_PER_SECOND - loop.time()))
        branch = f"part {number % BRANCHES + 1}"
        step += 1
        events: list[Any] = [
            Progress(node="measure", message=f"Page {number}.{page}", branch=branch)
            for page in range(BATCH - 2)
        ]
        events += [
            NodeStarted(node="measure", step=step, attempt=1, branch=branch),
            NodeComplete(
                node="measure",
                step=step,
                status="success",
                duration_ms=40.0,
                timestamp=now(),
                branch=branch,
            ),
        ]
        async with platform.unit(platform.owner) as session:
            await log.append_all(session, run, events)


@asynccontextmanager
async def _browser(url: str, platform: Platform) -> AsyncIterator[Page]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = await browser.new_page(base_url=url, viewport={"width": 1440, "height": 900})
        link = await tokens.issue(platform.db, platform.owner, "sign-in link", kind="sign_in")
        await page.goto(f"/sign-in?token={link}")
        yield page
        await browser.close()


async def _watched(page: Page, work: Any) -> tuple[list[float], list[float]]:
    """The milliseconds of each frame and of each long task while `work` goes on."""
    await page.evaluate(WATCH)
    await work
    seen = await page.evaluate("() => window.seen")
    return seen["frames"], seen["long"]


async def _heap(tools: CDPSession) -> float:
    """Megabytes of the page's heap after its garbage was collected."""
    await tools.send("HeapProfiler.collectGarbage")
    return (await tools.send("Runtime.getHeapUsage"))["usedSize"] / 1e6
