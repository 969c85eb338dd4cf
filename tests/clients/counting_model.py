"""A server that speaks as Ollama does: it counts aloud as far as it is asked to, word by word."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

WORD_SECONDS = 0.02
"""As fast as a good model, and slow enough for a line to break between two words."""
TOOL = {"name": "count_words", "arguments": {"text": "four words stand here"}}


@asynccontextmanager
async def counting_model() -> AsyncIterator[str]:
    """Its address."""
    app = web.Application()
    app.router.add_post("/api/chat", _answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def _answer(request: web.Request) -> web.StreamResponse:
    messages = (await request.json())["messages"]
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
    await response.prepare(request)
    for message in _pieces(messages):
        await response.write(_line(message))
        await asyncio.sleep(WORD_SECONDS)
    end = {"done_reason": "stop", "prompt_eval_count": 10, "eval_count": 10}
    await response.write(_line({}, done=True, **end))
    return response


def _pieces(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    question = next(each["content"] for each in reversed(messages) if each["role"] == "user")
    if "as a tool counts" in question and messages[-1]["role"] != "tool":
        return [{"tool_calls": [{"function": TOOL}]}]
    far = re.findall(r"count to (\d+)", question, re.I)
    return [{"content": f"w{number} "} for number in range(1, int(far[-1] if far else 3) + 1)]


def _line(message: dict[str, Any], **more: object) -> bytes:
    values = {"role": "assistant", "content": "", **message}
    body = {"model": "counting", "created_at": "2026-01-01T00:00:00Z", "done": False}
    return json.dumps({**body, "message": values, **more}).encode() + b"\n"
