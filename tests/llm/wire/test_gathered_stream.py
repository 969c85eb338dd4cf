"""Tokens that OpenAI's server sends one by one reach whoever listens some at a time, and all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llm.wire.conftest import OpenAI
from whence.llm import Message, TextDelta, stream_text

pytestmark = pytest.mark.anyio

TOKENS = [f"{number} " for number in range(100)]


async def test_tokens_that_come_faster_than_anybody_reads_are_gathered(wire, running):
    running(OpenAI())
    wire.script(replace(OpenAI().stream(TOKENS), gap=0.004))
    asked = [Message("user", "What is it worth?")]
    events = [event async for event in stream_text(asked, purpose="chat.answer")]
    pieces = [event.text for event in events if isinstance(event, TextDelta)]
    assert "".join(pieces) == "".join(TOKENS)
    assert len(pieces) < len(TOKENS) / 2
