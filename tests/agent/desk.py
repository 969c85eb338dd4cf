"""A browser's page that talks with the agent over a real line: server-sent events, read as such."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

PATH = "/api/agent/chat"


@dataclass
class AgentReply:
    """The events of one turn, over all of its connections."""

    events: list[dict[str, Any]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def hear(self, data: dict[str, Any], event_id: str) -> None:
        if data["type"] == "gap":
            self.events.clear()
        self.events.append(data)
        if event_id:
            self.ids.append(event_id)

    @property
    def types(self) -> list[str]:
        return [event["type"] for event in self.events]

    @property
    def text(self) -> str:
        return "".join(e["content"] for e in self.events if e["type"] == "text_delta")

    @property
    def done(self) -> dict[str, Any]:
        return self.one("done")

    def one(self, kind: str) -> dict[str, Any]:
        [result] = [event for event in self.events if event["type"] == kind]
        return result


class Refused(Exception):
    """Not a stream: a problem document, or nothing more to say."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status} {problem}")
        self.status, self.problem = status, problem


async def events(answer: httpx.Response) -> AsyncIterator[tuple[dict[str, Any], str]]:
    """The events of a stream as the standard has them: fields by line, an event by empty line."""
    last_id, data = "", list[str]()
    async for line in answer.aiter_lines():
        if not line:
            if data:
                yield json.loads("\n".join(data)), last_id
            data = []
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "id":
                last_id = value


@dataclass
class Browser:
    """One person's page; each call is one connection."""

    client: httpx.AsyncClient

    @asynccontextmanager
    async def open(
        self, body: dict[str, Any] | None, last_id: str | None = None, path: str = PATH
    ) -> AsyncIterator[AsyncIterator[tuple[dict[str, Any], str]]]:
        headers = {"Last-Event-ID": last_id} if last_id else {}
        method = "GET" if body is None else "POST"
        async with self.client.stream(method, path, json=body, headers=headers) as answer:
            if answer.status_code != 200:
                await answer.aread()
                raise Refused(answer.status_code, answer.json() if answer.content else {})
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert "no-" in answer.headers["cache-control"]
            yield events(answer)

    async def ask(
        self,
        message: str,
        page: str | None = None,
        last_id: str | None = None,
        most: int | None = None,
        reply: AgentReply | None = None,
        ids: dict[str, Any] | None = None,
        **more: Any,
    ) -> AgentReply:
        """Send a message and hear all of its answer, or at `most` so many events of it."""
        context = {"context": {"page": page, **(ids or {})}} if page else {}
        body = {"message": message, **context, **more}
        return await self.hear(body, last_id, most, reply)

    async def hear(
        self,
        body: dict[str, Any] | None,
        last_id: str | None = None,
        most: int | None = None,
        reply: AgentReply | None = None,
        path: str = PATH,
    ) -> AgentReply:
        reply = reply or AgentReply()
        count = 0
        async with self.open(body, last_id, path) as stream:
            async for data, event_id in stream:
                reply.hear(data, event_id)
                count += 1
                if count == most:
                    break
        return reply
