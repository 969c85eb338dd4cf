"""A tool that changes something is called by a node: the change is made once, whatever fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import psycopg
import pytest
from pydantic import BaseModel
from sqlalchemy import text

from research.conftest import Bench
from whence.app.platform import Platform
from whence.kernel.errors import Unavailable
from whence.research.flow import Branch
from whence.tenancy.principal import Scope
from whence.tools.registry import ToolRegistry
from whence.tools.tool import ToolContext, tool

pytestmark = pytest.mark.anyio


class Letter(BaseModel):
    letter: str


class Title(BaseModel):
    title: str


@tool(Scope.WRITE)
async def add_letter(arguments: Letter, context: ToolContext) -> Title:
    """Add a letter to the title of every note."""
    async with context.unit() as session:
        title = await session.scalar(
            text("UPDATE sample_pack.notes SET title = title || :letter RETURNING title"),
            {"letter": arguments.letter},
        )
    return Title(title=title)


@pytest.fixture
def bench(platform: Platform) -> Bench:
    return Bench(replace(platform, tools=ToolRegistry([add_letter])))


async def title_of(bench: Bench) -> str:
    async with bench.platform.unit(bench.platform.owner) as session:
        return await session.scalar(text("SELECT title FROM sample_pack.notes"))


async def test_a_call_whose_line_in_the_log_is_refused_is_made_again_and_changes_once(
    bench: Bench, database_url: str
) -> None:
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

    async def write(state: Any, run: Any) -> dict[str, Any]:
        await run.call("add_letter", {"letter": "x"})
        return {}

    run_id = await bench.ask(flow := bench.flow(write))
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"
    assert await title_of(bench) == "A notex"


async def test_a_node_that_runs_again_finds_what_its_calls_changed_and_gave(bench: Bench) -> None:
    titles: list[str] = []
    tries: list[str] = []

    async def write(state: Any, run: Any) -> dict[str, Any]:
        for letter in "xxy":
            titles.append((await run.call("add_letter", {"letter": letter})).title)
        tries.append("a try")
        if len(tries) == 1:
            raise Unavailable("An outside system is away.", retry_after=0.1)
        return {}

    run_id = await bench.ask(flow := bench.flow(write))
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"
    assert len(tries) == 2
    assert titles == ["A notex", "A notexx", "A notexxy"] * 2
    assert await title_of(bench) == "A notexxy"


async def test_a_node_that_is_visited_again_changes_again(bench: Bench) -> None:
    async def first(state: Any, run: Any) -> dict[str, Any]:
        await run.call("add_letter", {"letter": "x"})
        return {"trail": [*state.get("trail", []), "x"]}

    async def loop(state: Any, run: Any) -> dict[str, Any]:
        return {}

    def again(state: Any) -> str:
        return "first" if len(state["trail"]) < 3 else "last"

    async def last(state: Any, run: Any) -> dict[str, Any]:
        return {}

    flow = replace(
        bench.flow(first, loop, last),
        edges=(("first", "loop"),),
        branches=(Branch("loop", again, ("first", "last")),),
    )
    run_id = await bench.ask(flow)
    async with bench.working(flow):
        assert (await bench.until(run_id)).status == "success"
    assert await title_of(bench) == "A notexxx"
