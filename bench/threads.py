"""Opening a conversation of 10,000 messages, among many others, over the API."""

from __future__ import annotations

import time
from pathlib import Path
from uuid import UUID

import httpx
from sqlalchemy import text

from bench.figures import Figure, median, p95
from bench.server import serving
from whence.app import build
from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.records import store

MESSAGES = 10_000
SHORT = 20
"""Messages of the conversation that is the baseline, and of each of the others."""
OTHERS = 500
OPENINGS = 100
SEARCHES = 20
WORDS = "The asking price rests on nine comparable sales between 31 and 48 dollars [1]. " * 6
"""About the length of an answer."""
NO_LIMIT = {"WHENCE_REQUESTS_PER_MINUTE": "1000000"}
_FILL = text("""
    INSERT INTO whence.chat_messages
        (org_id, id, session_id, ordinal, role, content, status, citations, created_at)
    SELECT whence.current_org(), gen_random_uuid(), :session, n,
        CASE WHEN n % 2 = 1 THEN 'user' ELSE 'assistant' END, n || ' ' || :words, 'complete',
        CASE WHEN n % 2 = 1 THEN '[]' ELSE jsonb_build_array(jsonb_build_object(
            'number', 1, 'kind', 'evidence', 'title', 'A sale', 'snippet', 'Sold for 40',
            'id', gen_random_uuid())) END,
        now() - make_interval(secs => CAST(:count AS int) - n)
    FROM generate_series(1, CAST(:count AS int)) n
""")
_COUNT = text("UPDATE whence.chat_sessions SET message_count = :count WHERE id = :session")


async def _conversation(platform: Platform, item: UUID, count: int) -> str:
    async with platform.unit(platform.owner) as session:
        opened = await sessions.open_session(session, platform.owner, "items", item)
        values = {"session": opened.id, "count": count}
        await session.execute(_FILL, values | {"words": WORDS})
        await session.execute(_COUNT, values)
    return str(opened.id)


def _took(client: httpx.Client, *paths: str) -> float:
    """Milliseconds of these requests, one after another."""
    began = time.perf_counter()
    for path in paths:
        client.get(path).raise_for_status()
    return (time.perf_counter() - began) * 1000


async def measure(home: Path) -> list[Figure]:
    """p95 of opening: the session and its newest page, as a page in the browser asks for them."""
    async with build.platform(Settings(home=home, database_url=None)) as platform:
        kind = platform.kind("items")
        record = kind.record.model_validate({"title": "Aurelia QB-700 radio"})
        async with platform.unit(platform.owner) as session:
            item = (await store.create(session, platform.owner, kind, record)).id
        for _ in range(OTHERS):
            await _conversation(platform, new_id(), SHORT)
        short = await _conversation(platform, item, SHORT)
        long = await _conversation(platform, item, MESSAGES)
    opened: dict[str, list[float]] = {short: [], long: []}
    with (
        serving(home, **NO_LIMIT) as server,
        httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.token}"}
        ) as client,
    ):
        at = f"/api/items/{item}/chat/sessions"
        for _ in range(OPENINGS):
            for chat, took in opened.items():
                took.append(_took(client, f"{at}/{chat}", f"{at}/{chat}/messages?limit=50"))
        active = [_took(client, f"{at}/active") for _ in range(OPENINGS)]
        durations = [_took(client, f"/api/chat/search?q={MESSAGES - 1}") for _ in range(SEARCHES)]
        missed = [_took(client, "/api/chat/search?q=astrolabe") for _ in range(SEARCHES)]
        exported = _took(client, f"{at}/{long}/export")
    name = f"opening {MESSAGES:,} messages, p95 (median {median(opened[long]):.1f})"
    base = f"opening {SHORT} messages, p95"
    all_messages = MESSAGES + SHORT * (OTHERS + 1)
    return [
        Figure(name, p95(opened[long]), "ms", base, p95(opened[short]), 200.0),
        Figure("finding the active conversation, p95", p95(active), "ms", base, p95(opened[short])),
        Figure(
            f"search in {all_messages:,} messages, p95",
            p95(durations),
            "ms",
            "for words that stand nowhere, p95",
            p95(missed),
        ),
        Figure(f"export of {MESSAGES:,} messages", exported, "ms", base, p95(opened[short])),
    ]
