"""Two organizations that do what they like over HTTP, and what each of them is shown.

Calls are taken from the OpenAPI document.  Ids come from what either of the two was ever shown, so
that each tries the other's as well.  Everything that an organization writes carries its mark.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from whence.transports.edge.access import ACCESS

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
"""An id of ours (UUIDv7) in a text."""
LEFT_OUT = ("/api/auth", "/healthz", "/readyz", "/metrics")
"""Calls that hold no row of a tenant, or would end the walk by signing out."""
ENDS_THE_WALK = ("delete", "/api/tokens/{id}")
"""Sooner or later each would end its own token."""
OPEN_TO_TOKENS = ("read", "write", "talk", "public")
"""The rules that let an API token in; for the others `tests/transports/test_access.py` stands."""
PATIENCE = 10.0


@dataclass
class Party:
    """One organization's client, and all that it was shown."""

    mark: str
    client: httpx.AsyncClient
    ids: dict[str, str] = field(default_factory=dict[str, str])
    """Each with the part of the API that showed it first: `/api/notes`, or `jobs`."""
    answered: set[str] = field(default_factory=set[str])
    """Calls that were answered with something (2xx)."""


@dataclass(frozen=True)
class Call:
    """One call of the API's document."""

    method: str
    path: str
    query: tuple[str, ...]
    takes_json: bool


def calls(document: Mapping[str, Any]) -> list[Call]:
    """Every call that may show or change a row of a tenant."""
    return [
        Call(
            method.upper(),
            path,
            tuple(p["name"] for p in call.get("parameters", ()) if p["in"] == "query"),
            "application/json" in call.get("requestBody", {}).get("content", {}),
        )
        for path, methods in document["paths"].items()
        for method, call in methods.items()
        if not path.startswith(LEFT_OUT)
        and call[ACCESS] in OPEN_TO_TOKENS
        and (method, path) != ENDS_THE_WALK
    ]


class Crossed(AssertionError):
    """A row of one organization was shown to the other."""


async def step(chance: random.Random, call: Call, who: Party, other: Party) -> None:
    """One call by `who`; raises Crossed when its answer holds anything of the other's."""
    address, sent = call.path, ""
    for name in re.findall(r"\{(\w+)\}", call.path):
        value = _path_value(chance, call.path, name, who, other)
        address, sent = address.replace(f"{{{name}}}", value), sent + value
    query = {name: _query_value(chance, name, who) for name in call.query if chance.random() < 0.15}
    sent += str(query)
    body = _body(chance, call.path, who) if call.takes_json else None
    try:
        async with asyncio.timeout(PATIENCE):
            answer = await who.client.request(
                call.method,
                address,
                params=query,
                json=body,
                content=None if call.takes_json else _file(call, who),
            )
    except TimeoutError:
        return  # a stream of a run that is not over
    text = answer.text + str(dict(answer.headers))
    foreign = [key for key in other.ids if key in text and key not in sent and key not in who.ids]
    if other.mark in text or foreign:
        raise Crossed(f"{call.method} {address} {query} by {who.mark} answered {text[:2000]}")
    if answer.status_code < 300:
        who.answered.add(f"{call.method} {call.path}")
        for key in ID.findall(text):
            who.ids.setdefault(key, _shown_by(call.path))


def _shown_by(path: str) -> str:
    if path.endswith("/research"):
        return "jobs"
    return "chats" if "/chat/sessions" in path else _part(path)


def _part(path: str) -> str:
    return "/".join(path.split("/")[:3])


def _path_value(chance: random.Random, path: str, name: str, who: Party, other: Party) -> str:
    if name == "name":
        return chance.choice(["count_words", "search_listings", "sample_pack.notes"])
    ids = chance.choice([who.ids, who.ids, who.ids, other.ids])
    part = "jobs" if name == "jobId" or path.startswith("/api/runs") else _part(path)
    if name == "sid":
        part = "chats"
    fitting = [key for key, kind in ids.items() if kind == part]
    pool = fitting if fitting and chance.random() < 0.8 else list(ids)
    # What was seen last is most likely still there.
    return chance.choice(pool[-10:]) if pool else "none"


def _query_value(chance: random.Random, name: str, who: Party) -> str:
    match name:
        case "filename":
            return f"{who.mark}.jsonl"
        case "search" | "q":
            return chance.choice(["", "a", "note", who.mark])
        case "limit":
            return "100"
        case _:
            return chance.choice(["", "0", "1", "research", "true"])


def _body(chance: random.Random, path: str, who: Party) -> dict[str, Any]:
    text = f"{who.mark} says {chance.randrange(10**6)}"
    if "/tools/" in path:
        return {"text": text, "query": "lamp"}
    if path.endswith("/notes") or path.removeprefix("/api") == "/notes/{id}":
        return {"title": text, "text": f"{text} in a few words"}
    if path.endswith(("/items", "/items/{id}")):
        return {"title": text, "description": text, "brand": who.mark}
    if path.endswith("/{sid}"):
        return {"title": text}
    if path.endswith("/messages"):
        return {"content": text, "clientMessageId": text}
    if path.endswith("/tokens"):
        return {"name": text}
    if path.endswith("/invitations"):
        return {"email": f"{who.mark}{chance.randrange(10**6)}@example.org", "role": "viewer"}
    return {}


def _file(call: Call, who: Party) -> bytes | None:
    if call.method != "POST" or "/imports/" not in call.path:
        return None
    return f'{{"id": "{who.mark}", "title": "{who.mark}", "text": "{who.mark}"}}\n'.encode()
