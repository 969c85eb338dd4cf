"""One registry for every tool: arguments are checked, scopes required, and calls written down."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

import psycopg
import pytest
from pydantic import BaseModel, Field
from sqlalchemy import text

from whence.kernel.errors import Conflict, Forbidden, Invalid, NotFound, Unavailable
from whence.kernel.ids import new_id
from whence.records import store
from whence.tenancy.principal import Role, Scope
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext, tool

pytestmark = pytest.mark.anyio

Title = Callable[[], Awaitable[str]]


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


@tool(Scope.WRITE)
async def label(arguments: Parcel, context: ToolContext) -> Price:
    """Add a letter to the title of every note."""
    async with context.unit() as session:
        await session.execute(text("UPDATE sample_pack.notes SET title = title || 'x'"))
    if arguments.to == "nowhere":
        raise ZeroDivisionError
    if arguments.to == "twice":
        with suppress(Conflict):
            async with context.unit() as session:
                await session.execute(text("UPDATE sample_pack.notes SET title = title || 'y'"))
                raise Conflict
    async with context.unit() as session:
        titles = await session.scalar(text("SELECT string_agg(title, ',') FROM sample_pack.notes"))
    return Price(usd=len(titles))


REGISTRY = ToolRegistry([send, weigh, label])


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
        ({}, "weigh: grams: This field is required"),
        ({"grams": "much"}, "weigh: grams: Enter a whole number"),
        ({"grams": -1}, "weigh: grams: Enter a value of at least 0"),
        ({"grams": 1, "on": "someday"}, "weigh: on: Enter a valid date"),
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
    with pytest.raises(Forbidden, match="You can read here"):
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
    assert [item.name for item in REGISTRY.visible(platform.owner)] == ["label", "send", "weigh"]


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


@pytest.fixture
async def note(platform: Any) -> Callable[[], Awaitable[str]]:
    """A note titled "A"; what it is titled now."""
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        await store.create(session, platform.owner, kind, kind.record(title="A", text="b"))

    async def title() -> str:
        async with platform.unit(platform.owner) as session:
            return await session.scalar(text("SELECT title FROM sample_pack.notes"))

    return title


@pytest.fixture
def log_fails_once(database_url: str) -> None:
    """The first line of the call log is refused as by a database that is too busy."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("""
            CREATE SEQUENCE whence.lines;
            GRANT USAGE ON whence.lines TO whence_app;
            CREATE FUNCTION whence.refuse_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('whence.lines') = 1 THEN RAISE SQLSTATE '40001'; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON whence.tool_calls
                FOR EACH ROW EXECUTE FUNCTION whence.refuse_line();
        """)


async def test_a_change_and_its_line_in_the_log_are_one_transaction(
    platform: Any, context: ToolContext, note: Title, log_fails_once: None
) -> None:
    with pytest.raises(Unavailable):
        await REGISTRY.call("label", {"grams": 1}, context)
    assert await note() == "A"
    assert [call["outcome"] for call in await _log(platform)] == ["error"]
    await REGISTRY.call("label", {"grams": 1}, context)
    assert await note() == "Ax"


async def test_a_tool_that_fails_takes_its_change_back_and_is_written_down(
    platform: Any, context: ToolContext, note: Title
) -> None:
    with pytest.raises(ZeroDivisionError):
        await REGISTRY.call("label", {"grams": 1, "to": "nowhere"}, context)
    assert await note() == "A"
    assert [call["outcome"] for call in await _log(platform)] == ["error"]


async def test_a_part_that_a_tool_gives_up_leaves_its_other_parts(
    context: ToolContext, note: Title
) -> None:
    await REGISTRY.call("label", {"grams": 1, "to": "twice"}, context)
    assert await note() == "Ax"


async def test_the_same_call_again_changes_nothing_and_gives_the_same_result(
    platform: Any, note: Title
) -> None:
    run_id = new_id()
    first = replace(platform.tool_context(platform.owner, "cli", run_id=run_id), key="one")
    assert await REGISTRY.call("label", {"grams": 1}, first) == Price(usd=2)
    assert await REGISTRY.call("label", {"grams": 1}, first) == Price(usd=2)
    assert (await note(), len(await _log(platform))) == ("Ax", 1)
    assert await REGISTRY.call("label", {"grams": 1}, replace(first, key="two")) == Price(usd=3)


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
