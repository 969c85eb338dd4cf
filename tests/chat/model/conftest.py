"""A conversation through the real clients with a provider of our own at the other end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from pydantic import BaseModel, Field, ValidationError

from llm.conftest import Wire, model_of, running, wire
from llm.wire.conftest import anthropic, dialect, fail, ollama, openai
from whence.chat.citing.sources import SourceBook
from whence.chat.model.prompting import ChatPrompt
from whence.chat.model.tool_loop import LoopResult, ToolCall, answer
from whence.kernel.errors import Invalid, Unavailable
from whence.kernel.wire import Wire as WireModel
from whence.llm import Message, SkillRuntime
from whence.tenancy.principal import Scope
from whence.tools.tool import Tool, ToolContext, tool

__all__ = [
    "anthropic",
    "dialect",
    "fail",
    "model_of",
    "ollama",
    "openai",
    "running",
    "wire",
]
ASKED = ChatPrompt((Message("system", "Be brief."), Message("user", "What sold?")), "1.1")


class Words(WireModel):
    words: str = Field(max_length=50)


class Sale(WireModel):
    title: str
    price: int
    url: str | None = None


class Sales(WireModel):
    sales: list[Sale]


class Rate(WireModel):
    rate: float


@tool(Scope.READ)
async def find_sales(arguments: Words, context: ToolContext) -> Sales:
    """What sold, by words."""
    sold = Sale(title=arguments.words, price=40, url="https://sold.example/1")
    return Sales(sales=[sold, Sale(title=f"{arguments.words} II", price=60)])


@tool(Scope.READ)
async def fee_rate(arguments: Words, context: ToolContext) -> Rate:
    """The fee of a marketplace."""
    return Rate(rate=0.13)


@tool(Scope.WRITE)
async def set_price(arguments: Words, context: ToolContext) -> Rate:
    """Change the price of the record."""
    raise AssertionError("a model wrote")


@dataclass
class Bench:
    """Tools that may fail or wait for one another, and what was called."""

    called: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failures: dict[str, list[Exception]] = field(default_factory=dict)
    together: asyncio.Barrier | None = None

    async def call(self, one: Tool, arguments: Any) -> BaseModel:
        self.called.append((one.name, dict(arguments)))
        if self.together:
            async with asyncio.timeout(5):
                await self.together.wait()
        if waiting := self.failures.get(one.name):
            raise waiting.pop(0)
        try:
            parsed = one.arguments.model_validate(arguments)
        except ValidationError as error:
            raise Invalid(f"{one.name}: {error.errors()[0]['msg']}") from error
        return await one.function(parsed, cast(ToolContext, None))


@dataclass
class ModelReply:
    """All parts of an answer."""

    texts: list[str] = field(default_factory=list)
    tools: list[ToolCall] = field(default_factory=list)
    book: SourceBook = field(default_factory=SourceBook)
    result: LoopResult = field(init=False)

    async def on_text(self, text: str) -> None:
        self.texts.append(text)

    async def on_tool(self, call: ToolCall) -> None:
        self.tools.append(call)

    @property
    def finished_calls(self) -> list[tuple[str, str]]:
        return [(call.name, call.status) for call in self.tools if call.status != "running"]


Talk = Callable[..., Awaitable[ModelReply]]


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def talk(bench: Bench) -> Talk:
    """Answer `ASKED` on a runtime with these tools."""

    async def run(
        runtime: SkillRuntime,
        tools: Sequence[Tool] = (find_sales, fee_rate),
        stop: asyncio.Event | None = None,
        reply: ModelReply | None = None,
    ) -> ModelReply:
        reply = reply or ModelReply()
        assert runtime.models.text
        reply.result = await answer(
            runtime,
            runtime.models.text,
            ASKED,
            tools,
            bench.call,
            reply.book,
            reply.on_text,
            reply.on_tool,
            stop,
        )
        assert reply.result.text == "".join(reply.texts), "all that is kept was shown, and no more"
        return reply

    return run


def unavailable(times: int) -> list[Exception]:
    return [Unavailable("The marketplace does not answer.") for _ in range(times)]


def sent(wire: Wire, number: int) -> str:
    """A request as it went out, as text."""
    import json

    return json.dumps(wire.requests[number].body, ensure_ascii=False)
