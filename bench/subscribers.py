"""Many clients in a process of their own: each follows one job to its end and checks what it heard.

    python -m bench.subscribers < plan.json     # [{"kind": "sse", "url": …, "token": …, "job": …}]

It prints `ready` when all follow, then what was wrong as JSON: an empty list.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field

import httpx
import socketio

NAMESPACE = "/research"
CONNECT_SECONDS = 30
AT_ONCE = 20
"""Clients that connect at the same time."""


@dataclass
class Subscriber:
    """One client; `seqs` is what it heard."""

    kind: str
    url: str
    token: str
    job: str
    seqs: list[int] = field(default_factory=list)
    following: asyncio.Event = field(default_factory=asyncio.Event)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, name: str, data: dict) -> None:
        self.following.set()
        if "seq" in data:
            self.seqs.append(data["seq"])
        if name == "job_complete":
            self.complete.set()

    def wrong(self) -> str | None:
        dense = self.seqs == list(range(1, len(self.seqs) + 1))
        return None if dense else f"{self.kind} {self.job}: {self.seqs}"

    async def follow(self) -> None:
        await (self._sse() if self.kind == "sse" else self._socket())

    async def _sse(self) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        async with (
            httpx.AsyncClient(
                base_url=self.url, headers=headers, timeout=2 * CONNECT_SECONDS
            ) as client,
            client.stream("GET", f"/api/runs/{self.job}/events") as answer,
        ):
            answer.raise_for_status()
            name = ""
            async for line in answer.aiter_lines():
                key, _, value = line.partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    self.hear(name, json.loads(value))

    async def _socket(self) -> None:
        client = socketio.AsyncClient(request_timeout=CONNECT_SECONDS)
        client.on("*", self._on_event, namespace=NAMESPACE)
        await client.connect(
            self.url,
            namespaces=[NAMESPACE],
            auth={"token": self.token},
            transports=["websocket"],
            wait_timeout=CONNECT_SECONDS,
        )
        wanted = {"jobId": self.job}
        answer = await client.call("subscribe_job", wanted, NAMESPACE, CONNECT_SECONDS)
        if not answer["ok"]:
            raise RuntimeError(answer)
        await self.complete.wait()
        await client.disconnect()

    async def _on_event(self, name: str, data: dict) -> None:
        self.hear(name, data)


async def main() -> None:
    subscribers = [Subscriber(**one) for one in json.load(sys.stdin)]
    async with asyncio.TaskGroup() as group:
        for some in range(0, len(subscribers), AT_ONCE):
            wave = subscribers[some : some + AT_ONCE]
            for one in wave:
                group.create_task(one.follow())
            for one in wave:
                await one.following.wait()
        print("ready", flush=True)
    print(json.dumps([wrong for one in subscribers if (wrong := one.wrong())]), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
