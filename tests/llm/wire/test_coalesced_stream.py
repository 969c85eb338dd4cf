"""Tokens that OpenAI's server sends one by one reach the reader a few at a time, and all do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from llm.wire.conftest import OpenAI
from llm.wire.test_streaming import listen

pytestmark = pytest.mark.anyio

TOKENS = [f"{number} " for number in range(100)]


async def test_tokens_that_come_faster_than_anybody_reads_are_coalesced(wire, running):
    runtime = running(OpenAI())
    wire.script(replace(OpenAI().stream(TOKENS), gap=0.004))
    pieces, end = await listen(runtime)
    assert ("".join(pieces), end.status) == ("".join(TOKENS), "complete")
    assert len(pieces) < len(TOKENS) / 2
