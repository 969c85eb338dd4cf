"""A local model that writes one piece of an answer whenever the test lets it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from whence.kernel.settings import Settings


@dataclass
class SlowModel:
    """A server that speaks as Ollama does."""

    base: str = ""
    pieces: asyncio.Queue[str | dict[str, Any] | None] = field(default_factory=asyncio.Queue)
    requests: list[Any] = field(default_factory=list)

    def say(self, *pieces: str) -> None:
        for piece in pieces:
            self.pieces.put_nowait(piece)

    def call(self, tool: str, **arguments: Any) -> None:
        """Ask for a tool, and end this answer: the next one has its result."""
        self.pieces.put_nowait({"function": {"name": tool, "arguments": arguments}})
        self.end()

    def end(self) -> None:
        self.pieces.put_nowait(None)

    def for_answers(self, settings: Settings) -> Settings:
        """The settings of a program whose conversations this model answers."""
        return settings.model_copy(update={"model": "ollama:slow", "model_base_url": self.base})

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json())
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        while True:
            piece = await self.pieces.get()
            message: dict[str, Any] = {"role": "assistant", "content": ""}
            if isinstance(piece, dict):
                message["tool_calls"] = [piece]
            else:
                message["content"] = piece or ""
            line: dict[str, Any] = {
                "model": "slow",
                "created_at": "2026-01-01T00:00:00Z",
                "message": message,
                "done": piece is None,
            }
            if piece is None:
                line |= {"done_reason": "stop", "prompt_eval_count": 10, "eval_count": 10}
            await response.write(json.dumps(line).encode() + b"\n")
            if piece is None:
                return response


@asynccontextmanager
async def slow_model() -> AsyncGenerator[SlowModel]:
    """One that listens on this machine."""
    model = SlowModel()
    app = web.Application()
    app.router.add_post("/api/chat", model.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    model.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield model
    await runner.cleanup()
