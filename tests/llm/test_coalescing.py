"""Chunks of a stream coalesced: what arrives together is one, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.llm.coalescing import coalesced, joined, text_of

pytestmark = pytest.mark.anyio


def text_chunk(text: str, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None, "logprobs": None}
    return {"id": "x", "model": "m", "choices": [choice | more], "usage": None}


STOP = text_chunk("", finish_reason="stop")
CALL = text_chunk("", delta={"content": None, "tool_calls": [{"index": 0, "id": "a"}]})
REFUSED = text_chunk("", delta={"content": None, "refusal": "No."})
USAGE = {"id": "x", "choices": [], "usage": {"prompt_tokens": 1}}
OTHER = (STOP, CALL, REFUSED, USAGE, {"odd": True}, text_chunk("t", logprobs={"content": [1]}))


def letters(chunks: list[Any]) -> list[Any]:
    """Letters, and whatever is no text, one after the other."""
    messages: list[Any] = []
    for chunk in chunks:
        text = text_of(chunk)
        messages += [chunk] if text is None else text
    return messages


class Source:
    """A stream to which chunks are given one by one; None ends it, an error breaks it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[Any] = asyncio.Queue()
        self.closed = False

    async def chunks(self) -> AsyncIterator[Any]:
        try:
            while (chunk := await self.queue.get()) is not None:
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk
        finally:
            self.closed = True

    def give(self, *chunks: Any) -> None:
        for chunk in chunks:
            self.queue.put_nowait(chunk)


async def soon(pieces: AsyncGenerator[Any]) -> Any:
    async with asyncio.timeout(10):
        return await anext(pieces)


async def test_text_that_is_there_at_the_same_moment_is_one():
    source = Source()
    async with aclosing(coalesced(source.chunks())) as pieces:
        source.give(text_chunk("one"))
        assert text_of(await soon(pieces)) == "one"
        source.give(text_chunk(" two"), text_chunk(" three"), STOP, None)
        assert [text_of(each) for each in [piece async for piece in pieces]] == [" two three", None]


async def test_what_came_before_the_stream_broke_is_handed_on_before_it_is_told():
    source = Source()
    source.give(text_chunk("one"), text_chunk(" two"), OSError("gone"))
    pieces = coalesced(source.chunks())
    assert text_of(await soon(pieces)) == "one two"
    with pytest.raises(OSError, match="gone"):
        await soon(pieces)


async def test_who_leaves_closes_the_stream_before_it_goes_on():
    source = Source()
    source.give(text_chunk("one"))
    async with aclosing(coalesced(source.chunks())) as pieces:
        assert text_of(await soon(pieces)) == "one"
        assert not source.closed
    assert source.closed


async def test_who_is_cancelled_while_it_waits_closes_the_stream_too():
    source = Source()

    async def read() -> None:
        async with aclosing(coalesced(source.chunks())) as pieces:
            async for _ in pieces:
                continue

    reading = asyncio.create_task(read())
    source.give(text_chunk("one"))
    while not source.queue.empty():
        await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait({reading}, timeout=10)
    assert reading.cancelled()
    assert source.closed


@given(
    st.lists(st.one_of(st.text().map(text_chunk), st.sampled_from(OTHER))),
)
def test_joining_loses_nothing_and_keeps_the_order(chunks: list[Any]):
    pieces = list(joined(chunks))
    assert letters(pieces) == letters(chunks)
    texts = [text_of(each) is not None for each in pieces]
    assert not any(one and after for one, after in pairwise(texts))


@pytest.mark.parametrize("chunk", OTHER)
def test_a_chunk_that_says_more_than_text_stays_alone(chunk: Any):
    assert list(joined([text_chunk("a"), chunk, text_chunk("b")])) == [
        text_chunk("a"),
        chunk,
        text_chunk("b"),
    ]


def test_the_role_of_the_first_chunk_stays():
    first = text_chunk("", delta={"role": "assistant", "content": "", "refusal": None})
    [one] = joined([first, text_chunk("a"), text_chunk("b")])
    assert one["choices"][0]["delta"] == {"role": "assistant", "content": "ab", "refusal": None}
