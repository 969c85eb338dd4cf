"""A conversation about a note that a scripted model answers, with tools of the test's own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from chat.turns.conftest import Desk, desk_of
from llm.conftest import Wire
from llm.wire.conftest import OpenAI
from whence.app import build
from whence.chat.turns.runner import Turns
from whence.kernel.settings import Settings
from whence.tools.registry import ToolRegistry
from whence.tools.tool import Tool


@asynccontextmanager
async def scripted(
    settings: Settings, wire: Wire, tools: Sequence[Tool] = (), **changes: Any
) -> AsyncGenerator[Desk]:
    """The program with a model that says what the test scripts; needs a key in the environment."""
    model = {"model": f"openai:{OpenAI.name}", "model_base_url": wire.url + OpenAI.base}
    async with build.platform(settings.model_copy(update=model | changes)) as platform:
        parts = platform.turns._deps
        if tools:
            chat = replace(parts.chat("notes"), tools=[each.name for each in tools])
            parts = replace(parts, tools=ToolRegistry(tools), chats={"notes": chat})
        turns = Turns(parts)
        try:
            yield await desk_of(replace(platform, turns=turns), platform.owner)
        finally:
            await turns.close()
