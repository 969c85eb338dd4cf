"""One registry for every tool: arguments are checked, scopes required, and calls written down."""

from __future__ import annotations

from datetime import date
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from sqlalchemy import text

from whence.kernel.errors import Forbidden, Invalid, NotFound, Unavailable
from whence.kernel.ids import new_id
from whence.tenancy.principal import Role, Scope
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext, tool

pytestmark = pytest.mark.anyio


class Parcel(BaseModel):
    grams: int = Field(ge=0)
    to: str = "home"
    on: date | None = None
    id: UUID | None = None


class Price(BaseModel):
    usd: float


@tool(Scope.READ)
async def weigh(arguments: Parcel, context: ToolContext) -> Price:
    """What sending a parcel costs."""
    if arguments.to == "the moon":
        raise Unavailable("The carrier is away.")
    if arguments.to == "nowhere":
        raise ZeroDivisionError
    return Price(usd=arguments.grams / 100)


@tool(Scope.WRITE)
async def send(arguments: Parcel, context: ToolContext) -> Price:
    """Send a parcel."""
    return Price(usd=0)


REGISTRY = ToolRegistry([send, weigh])


@pytest.fixture
def context(platform: Any) -> ToolContext:
    return platform.tool_context(platform.owner, "api")


async def _log(platform: Any, who: Any = None) -> list[dict[str, Any]]:
    async with platform.unit(who or platform.owner) as session:
        rows = await session.execute(text("SELECT * FROM whence.tool_calls ORDER BY at"))
        return [dict(row) for row in rows.mappings()]


async def test_a_call_is_validated_run_and_written_down(
    platform: Any, context: ToolContext
) -> None:
    assert await REGISTRY.call("weigh", {"grams": 250}, context) == Price(usd=2.5)
    [call] = await _log(platform)
    assert (call["tool"], call["scope"], call["caller"], call["outcome"], call["error"]) == (
        "weigh",
        "read",
        "api",
        "ok",
        None,
    )
    assert call["arguments"] == {"grams": 250}
    assert call["user_id"] == platform.owner.user_id
    assert call["latency_ms"] > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "weigh: grams: Field required"),
        ({"grams": "much"}, "weigh: grams: Input should be a valid integer"),
        ({"grams": -1}, "weigh: grams: Input should be greater than or equal to 0"),
        ({"grams": 1, "on": "someday"}, "weigh: on: Input should be a valid date"),
    ],
)
async def test_a_wrong_argument_is_named(
    platform: Any, context: ToolContext, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Invalid, match=words):
        await REGISTRY.call("weigh", arguments, context)
    [call] = await _log(platform)
    assert call["outcome"] == "refused"
    assert call["error"].startswith(words)


async def test_a_tool_needs_its_scope(platform: Any, new_principal: Any) -> None:
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    context = platform.tool_context(viewer, "api")
    assert await REGISTRY.call("weigh", {"grams": 1}, context)
    with pytest.raises(Forbidden, match="scope 'write'"):
        await REGISTRY.call("send", {"grams": 1}, context)
    assert [call["outcome"] for call in await _log(platform)] == ["ok", "refused"]


async def test_a_scope_is_asked_for_before_arguments_are_read(
    platform: Any, new_principal: Any
) -> None:
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    with pytest.raises(Forbidden):
        await REGISTRY.call("send", {"grams": "?"}, platform.tool_context(viewer, "api"))


async def test_only_the_tools_that_a_principal_may_call_are_shown(
    platform: Any, new_principal: Any
) -> None:
    viewer = new_principal(Role.VIEWER, platform.owner.org_id)
    assert [item.name for item in REGISTRY.visible(viewer)] == ["weigh"]
    assert [item.name for item in REGISTRY.visible(platform.owner)] == ["send", "weigh"]


async def test_an_unknown_tool_is_not_found(context: ToolContext) -> None:
    with pytest.raises(NotFound, match="no tool 'fly'"):
        await REGISTRY.call("fly", {}, context)


async def test_an_outage_and_a_crash_are_written_down(platform: Any, context: ToolContext) -> None:
    with pytest.raises(Unavailable):
        await REGISTRY.call("weigh", {"grams": 1, "to": "the moon"}, context)
    with pytest.raises(ZeroDivisionError):
        await REGISTRY.call("weigh", {"grams": 1, "to": "nowhere"}, context)
    assert [(c["outcome"], c["error"]) for c in await _log(platform)] == [
        ("error", "The carrier is away."),
        ("error", "ZeroDivisionError: "),
    ]


async def test_odd_arguments_cannot_break_the_call_log(platform: Any, context: ToolContext) -> None:
    odd = {"grams": 1, "to": "a\x00b\ud800", "on": date(2026, 1, 2), "id": new_id()}
    await REGISTRY.call("weigh", {**odd, "extra": float("nan")}, context)
    [call] = await _log(platform)
    assert call["arguments"] == {
        "grams": 1,
        "to": "ab?",
        "on": "2026-01-02",
        "id": str(odd["id"]),
        "extra": None,
    }


async def test_the_call_log_of_another_organization_is_not_seen(
    platform: Any, context: ToolContext, new_principal: Any
) -> None:
    await REGISTRY.call("weigh", {"grams": 1}, context)
    assert await _log(platform, new_principal()) == []


async def test_the_same_tool_serves_a_flow_and_its_call_names_run_and_node(
    platform: Any,
) -> None:
    context = platform.tool_context(platform.owner, "cli", run_id=new_id())
    answer = await platform.tools.call("count_words", {"text": "three small words"}, context)
    assert answer.model_dump() == {"words": 3}
    [call] = await _log(platform)
    assert (call["caller"], call["run_id"]) == ("cli", context.run_id)


def test_two_tools_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="Two tools are named 'weigh'"):
        ToolRegistry([weigh, weigh])


def test_a_tool_without_words_or_types_is_refused() -> None:
    with pytest.raises(TypeError, match="needs a docstring"):

        @tool(Scope.READ)
        async def silent(arguments: Parcel, context: ToolContext) -> Price:
            return Price(usd=0)

    with pytest.raises(TypeError, match="Pydantic models"):

        @tool(Scope.READ)
        async def untyped(arguments: dict[str, str], context: ToolContext) -> Price:
            """Untyped."""
            return Price(usd=0)
