"""The program as clients of other people's making see it: `socket.io-client` and `eventsource`.

Each file of `stories/` is a story that Node's test runner tells, against `whence serve` with its
worker, started as an operator starts it.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest

from clients.counting_model import counting_model
from conftest import SAMPLE_PACKS
from whence.kernel.settings import Settings
from whence.packs.resale import pack
from whence.tenancy.local import LOCAL_EMAIL

pytestmark = pytest.mark.anyio
FOLDER = Path(__file__).parent
STORIES = sorted((FOLDER / "stories").glob("*.mjs"))
PASSWORD = "a long one for the stories"
SECONDS = 240
"""For all stories together; they take some seconds on a machine that does nothing else."""
SHORT_LIVED = {"WHENCE_ACCESS_MINUTES": "0.05", "WHENCE_SESSION_DAYS": str(6 / 86_400)}
_SET_UP = re.compile(r"/reset\?token=(\S+)")
_ADDRESS = re.compile(r"listening on (\S+)")


def node() -> str:
    """The program that tells the stories; without it, and not in CI, they are skipped."""
    result = shutil.which("node")
    if result and (FOLDER / "node_modules" / "socket.io-client").is_dir():
        return result
    why = "Node.js and npm are needed to see whence through its clients; then `make setup`"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


@asynccontextmanager
async def serving(settings: Settings, *words: str, **more: str) -> AsyncIterator[tuple[str, str]]:
    """The address of a `whence serve` of its own, and what it printed until it listened."""
    assert settings.database_url is not None
    env = {name: value for name, value in os.environ.items() if not name.startswith("WHENCE_")}
    env |= {
        "WHENCE_HOME": str(settings.home),
        "WHENCE_DATABASE_URL": settings.database_url.get_secret_value(),
        "WHENCE_PACK_DIRS": str(SAMPLE_PACKS),
        "WHENCE_ACCOUNTS": "true",
        "WHENCE_REQUESTS_PER_MINUTE": "100000",
    }
    command = [Path(sys.executable).with_name("whence"), "serve", "--port", "0", *words]
    process = await asyncio.create_subprocess_exec(
        *command, env=env | more, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    printed = ""
    try:
        async with asyncio.timeout(60):
            while not (results := _ADDRESS.search(printed)):
                line = await process.stderr.readline()
                assert line, f"whence serve ended: {printed}"
                printed += line.decode()
            if "--no-worker" not in words:
                printed += (await process.stderr.readline()).decode()
        following = asyncio.create_task(process.stderr.read())
        yield results.group(1), printed
        process.terminate()
        await process.wait()
        assert "Traceback" not in (await following).decode()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def signed_up(url: str, printed: str) -> str:
    """Set the first password by the link that was printed, as an owner does; an API token."""
    link = _SET_UP.search(printed)
    assert link, printed
    async with httpx.AsyncClient(base_url=url, timeout=30) as owner:
        body = {"token": link.group(1), "password": PASSWORD}
        (await owner.post("/api/auth/reset", json=body)).raise_for_status()
        body = {"email": LOCAL_EMAIL, "password": PASSWORD}
        session = (await owner.post("/api/auth/sign-in", json=body)).raise_for_status().json()
        owner.headers["Authorization"] = f"Bearer {session['accessToken']}"
        listings = (pack.FOLDER / "sample" / "listings.csv").read_bytes()
        path = "/api/imports/resale.listings?filename=listings.csv"
        (await owner.post(path, content=listings)).raise_for_status()
        made = await owner.post("/api/tokens", json={"name": "stories"})
        return str(made.raise_for_status().json()["token"])


async def run_stories(stories: list[Path], **env: str) -> tuple[int, str]:
    """Node's exit code and what its test runner printed."""
    command = [node(), "--test", "--test-reporter=tap", "--test-concurrency=4", *map(str, stories)]
    process = await asyncio.create_subprocess_exec(
        *command,
        env=os.environ | env,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(SECONDS):
            printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, printed.decode()


async def test_every_story_holds(settings: Settings) -> None:
    node()
    async with AsyncExitStack() as stack:
        model = await stack.enter_async_context(counting_model())
        rules, printed = await stack.enter_async_context(serving(settings))
        token = await signed_up(rules, printed)
        counting, _ = await stack.enter_async_context(
            serving(
                settings,
                "--no-worker",
                WHENCE_MODEL="ollama:counting",
                WHENCE_MODEL_BASE_URL=model,
                **SHORT_LIVED,
            )
        )
        code, printed = await run_stories(
            STORIES,
            WHENCE_STORY_RULES=rules,
            WHENCE_STORY_COUNTING=counting,
            WHENCE_STORY_TOKEN=token,
            WHENCE_STORY_EMAIL=LOCAL_EMAIL,
            WHENCE_STORY_PASSWORD=PASSWORD,
        )
    counts = dict(re.findall(r"^# (tests|pass|fail|skipped|cancelled) (\d+)$", printed, re.M))
    assert code == 0, printed
    assert int(counts["pass"]) == int(counts["tests"]) >= len(STORIES), printed
