"""The log of a whole busy day, at its most talkative, holds none of the secrets that were used."""

from __future__ import annotations

import asyncio
import json
import os
import re
import secrets
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from cli.conftest import WHENCE, Shell
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio
EMAIL = "ada@example.org"
PRIVATE = "a brass sextant from the attic"
"""A record's own words: nothing of them belongs into a log either."""


def closed_port() -> str:
    """The address of a server that is not there."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


@dataclass
class Day:
    """A running `whence serve`, the secrets that were used with it, and what it logged."""

    url: str
    process: asyncio.subprocess.Process
    used: dict[str, str] = field(default_factory=dict[str, str])
    lines: list[str] = field(default_factory=list[str])
    reading: asyncio.Task[None] | None = None
    """Fills `lines`; over once the process has closed its output."""

    async def end(self) -> list[str]:
        """Stop it; every line that it logged."""
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()
        if self.reading:
            await self.reading
        return [line for line in self.lines if line.startswith("{")]


@pytest.fixture
async def day(settings: Settings, database_url: str) -> AsyncIterator[Day]:
    password = secrets.token_urlsafe(16)
    role = f"operator_{secrets.token_hex(6)}"
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {role} SUPERUSER LOGIN PASSWORD '{password}'".encode())
    parts = conninfo_to_dict(database_url)
    host, name = quote(str(parts["host"]), safe=""), parts["dbname"]
    used = {
        "database password": password,
        "model key": "sk-" + secrets.token_urlsafe(24),
        "source secret": secrets.token_urlsafe(24),
        "metrics token": secrets.token_urlsafe(24),
        "password": "correct horse " + secrets.token_urlsafe(6),
    }
    dead = closed_port()
    env = {k: v for k, v in os.environ.items() if not k.startswith("WHENCE_")} | {
        "WHENCE_DATABASE_URL": f"postgresql://{role}:{password}@/{name}?host={host}&port={parts['port']}",
        "WHENCE_HOME": str(settings.home),
        "WHENCE_ACCOUNTS": "true",
        "WHENCE_PORT": "0",
        "WHENCE_LOG_LEVEL": "debug",
        "WHENCE_MODEL": "openai:some-model",
        "WHENCE_MODEL_BASE_URL": dead,
        "OPENAI_API_KEY": used["model key"],
        "WHENCE_RESALE_EBAY_CLIENT_ID": "some-client",
        "WHENCE_RESALE_EBAY_CLIENT_SECRET": used["source secret"],
        "WHENCE_RESALE_EBAY_BASE_URL": dead,
        "WHENCE_METRICS_TOKEN": used["metrics token"],
    }
    words = ("account", "create", EMAIL, "--role", "owner", "--password-stdin")
    made = await asyncio.to_thread(Shell(env).run, *words, typed=used["password"] + "\n")
    assert made.returncode == 0, made.stderr
    process = await asyncio.create_subprocess_exec(
        WHENCE, "serve", env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert process.stdout
    output = process.stdout
    day = Day("", process, used)
    listening = asyncio.Event()

    async def read() -> None:
        async for line in output:
            day.lines.append(line.decode(errors="replace").strip())
            if results := re.search(r"listening on (http://\S+)", day.lines[-1]):
                day.url = results[1]
                listening.set()

    day.reading = asyncio.create_task(read())
    try:
        async with asyncio.timeout(60):
            await listening.wait()
        yield day
    finally:
        await day.end()
        with psycopg.connect(database_url, autocommit=True) as admin:
            admin.execute(f"DROP ROLE {role}".encode())


async def busy(day: Day) -> None:
    """Sign in, fail to, invite, make tokens, research with a dead model and a dead source."""
    own = {"origin": day.url, "sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(base_url=day.url, headers=own, timeout=30) as client:
        wrong = "wrong horse " + secrets.token_urlsafe(6)
        day.used["wrong password"] = wrong
        refused = await client.post("/api/auth/sign-in", json={"email": EMAIL, "password": wrong})
        assert refused.status_code == 401
        credentials = {"email": EMAIL, "password": day.used["password"]}
        signed_in = await client.post("/api/auth/sign-in", json=credentials)
        assert signed_in.status_code == 200, signed_in.text
        day.used["access token"] = signed_in.json()["accessToken"]
        renewed = await client.post("/api/auth/refresh")
        assert renewed.status_code == 200
        day.used |= {f"cookie {name}": value for name, value in client.cookies.items()}
        token = await client.post("/api/tokens", json={"name": "for a script"})
        day.used["api token"] = token.json()["token"]
        invited = await client.post(
            "/api/invitations", json={"email": "bob@example.org", "role": "member"}
        )
        assert invited.status_code == 201, invited.text
        [invitation] = re.findall(r"whence_[\w-]{24,}|(?<=token=)[\w-]{24,}", invited.text)[:1]
        day.used["invitation"] = invitation
        await client.get("/accept", params={"token": invitation})
        await client.get("/reset", params={"token": invitation})
        await client.post(
            "/api/auth/reset", json={"token": invitation, "password": day.used["password"]}
        )
        await client.get("/metrics", headers={"authorization": f"Bearer {invitation}"})
        bearer = {"authorization": f"Bearer {day.used['api token']}"}
        made = await client.post("/api/items", json={"title": PRIVATE}, headers=bearer)
        item = made.json()["id"]
        await client.post("/api/items", content=b'{"title": "' + PRIVATE.encode(), headers=bearer)
        await client.post(
            f"/api/items/{item}/files", content=b"no photograph", params={"filename": PRIVATE}
        )
        request = await client.post(f"/api/items/{item}/research", headers=bearer)
        job = f"/api/items/{item}/research/jobs/{request.json()['jobId']}"
        async with asyncio.timeout(60):
            while (await _status(client, job)) in ("pending", "running"):
                await asyncio.sleep(0.2)
        await client.get("/socket.io/?EIO=4&transport=polling", headers=bearer)


async def _status(client: httpx.AsyncClient, job: str) -> Any:
    return (await client.get(job)).json()["status"]


async def test_no_secret_and_no_record_is_in_the_log(day: Day) -> None:
    await busy(day)
    logged = await day.end()
    assert len(logged) > 5, day.lines
    assert all(json.loads(line) for line in logged)
    text = "\n".join(logged)
    assert [name for name, secret in day.used.items() if secret in text] == []
    assert PRIVATE not in text
    message = [line for line in day.lines if not line.startswith("{")]
    assert [name for name, secret in day.used.items() if secret in "\n".join(message)] == []
