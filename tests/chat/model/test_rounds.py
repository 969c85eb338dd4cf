"""Rounds of tools through each real client: what is called, told, cited and refused."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from chat.model.conftest import find_sales, sent, set_price, unavailable
from llm.wire.talking import Want, wanting
from whence.chat.citing.sources import Mark
from whence.chat.model.failure_notice import notice_of
from whence.chat.model.tool_loop import MAX_CALLS

pytestmark = pytest.mark.anyio

SALES = Want("find_sales", {"words": "Canon"}, "toolu_1")
FEES = Want("fee_rate", {"words": "eBay"}, "toolu_2")


async def test_an_answer_without_tools_comes_whole(wire, dialect, running, talk):
    runtime = running(dialect)
    wire.script(dialect.stream(["It sold ", "for 40 ", "dollars."]))
    model_reply = await talk(runtime)
    assert "".join(model_reply.texts) == "It sold for 40 dollars."
    assert (model_reply.result.status, model_reply.result.rounds, model_reply.tools) == (
        "complete",
        0,
        [],
    )
    [call] = runtime.log.calls
    assert (call.skill, call.prompt_version, call.outcome) == ("chat.answer", "1.1", "ok")
    assert (call.calls, call.tokens_in, call.tokens_out, call.exact) == (1, 100, 20, True)
    assert notice_of(model_reply.result) is None


async def test_the_tools_are_told_to_the_model_in_its_providers_own_way(
    wire, dialect, running, talk
):
    wire.script(dialect.stream(["Nothing."]))
    await talk(running(dialect))
    tools = wire.requests[0].body["tools"]
    named = [one.get("function", one) for one in tools]
    assert [one["name"] for one in named] == ["find_sales", "fee_rate"]
    schema = named[0].get("parameters") or named[0]["input_schema"]
    assert schema["properties"]["words"]["type"] == "string"


async def test_two_rounds_and_the_items_of_a_list_are_sources_of_their_own(
    wire, dialect, running, talk, bench
):
    runtime = running(dialect)
    wire.script(
        wanting(dialect, SALES, pieces=["Let me ", "look."]),
        wanting(dialect, FEES),
        dialect.stream(["Sold for 40 [source:find_", "sales:0]."]),
    )
    model_reply = await talk(runtime)
    assert bench.called == [("find_sales", {"words": "Canon"}), ("fee_rate", {"words": "eBay"})]
    assert model_reply.result.text == "Let me look.\n\nSold for 40 [source:find_sales:0]."
    assert "".join(model_reply.texts).endswith("[source:find_sales:0]."), "markers pass as they are"
    assert model_reply.result.rounds == 2
    first, second = (
        model_reply.book.get(Mark("find_sales", 0)),
        model_reply.book.get(Mark("find_sales", 1)),
    )
    assert first is not None
    assert second is not None
    assert (first.title, first.url) == ("Canon", "https://sold.example/1")
    assert (second.title, second.url) == ("Canon II", None)
    assert "[source:find_sales:1] title: Canon II; price: 60" in sent(wire, 1)
    assert "[source:fee_rate:0] rate: 0.13" in sent(wire, 2)
    assert [(c.name, c.status, c.summary) for c in model_reply.tools] == [
        ("find_sales", "running", None),
        ("find_sales", "ok", "2 results"),
        ("fee_rate", "running", None),
        ("fee_rate", "ok", "1 result"),
    ]
    [call] = runtime.log.calls
    assert (call.calls, call.tokens_in) == (3, 300), "a turn is one line of the call log"


async def test_tools_of_one_round_run_side_by_side(wire, dialect, running, talk, bench):
    bench.together = asyncio.Barrier(2)
    wire.script(wanting(dialect, SALES, FEES), dialect.stream(["Done."]))
    model_reply = await talk(running(dialect))
    assert sorted(model_reply.finished_calls) == [("fee_rate", "ok"), ("find_sales", "ok")]
    assert model_reply.result.rounds == 1


async def test_each_of_parallel_tools_has_an_error_of_its_own(wire, dialect, running, talk, bench):
    bench.failures = {"fee_rate": unavailable(2)}
    wire.script(wanting(dialect, SALES, FEES), dialect.stream(["The fees could not be read."]))
    model_reply = await talk(running(dialect))
    assert sorted(model_reply.finished_calls) == [("fee_rate", "failed"), ("find_sales", "ok")]
    assert [name for name, _ in bench.called].count("fee_rate") == 2, "tried once more, not twice"
    assert "The tool failed: The marketplace does not answer." in sent(wire, 1)
    assert model_reply.result.unread == ("fee_rate",)
    notice = notice_of(model_reply.result)
    assert notice is not None
    assert "Fee rate" in notice.text


async def test_a_tool_that_works_at_the_second_try_is_a_success(
    wire, dialect, running, talk, bench
):
    bench.failures = {"find_sales": unavailable(1)}
    wire.script(wanting(dialect, SALES), dialect.stream(["Sold."]))
    model_reply = await talk(running(dialect))
    assert (model_reply.finished_calls, model_reply.result.unread) == ([("find_sales", "ok")], ())


async def test_a_broken_tool_does_not_break_the_answer_or_show_its_insides(
    wire, dialect, running, talk, bench
):
    bench.failures = {"find_sales": [KeyError("/secret/path"), KeyError("/secret/path")]}
    wire.script(wanting(dialect, SALES), dialect.stream(["Nothing could be read."]))
    model_reply = await talk(running(dialect))
    assert model_reply.finished_calls == [("find_sales", "failed")]
    assert "secret" not in sent(wire, 1)


async def test_an_invented_tool_is_refused_and_told(wire, dialect, running, talk, bench):
    wire.script(
        wanting(dialect, Want("delete everything!", {"id": 1})), dialect.stream(["I cannot."])
    )
    model_reply = await talk(running(dialect))
    assert bench.called == []
    assert model_reply.finished_calls == [("delete everything!", "refused")]
    assert "There is no such tool. Available tools: find_sales, fee_rate." in sent(wire, 1)
    assert model_reply.result.status == "complete"


async def test_a_tool_that_writes_is_not_offered_and_not_run(wire, dialect, running, talk, bench):
    wire.script(
        wanting(dialect, Want("set_price", {"words": "1"})), dialect.stream(["I cannot change it."])
    )
    model_reply = await talk(running(dialect), tools=(find_sales, set_price))
    assert "Change the price" not in sent(wire, 0)
    assert (bench.called, model_reply.finished_calls) == ([], [("set_price", "refused")])


@pytest.mark.parametrize("written", ['{"words": ', "[1]", "rm -rf"])
async def test_arguments_that_are_no_object_are_refused_and_told(
    wire, dialect, running, talk, bench, written
):
    if dialect.provider == "ollama":
        pytest.skip("Ollama itself reads the arguments")
    wire.script(wanting(dialect, replace(SALES, arguments=written)), dialect.stream(["Sorry."]))
    model_reply = await talk(running(dialect))
    assert (bench.called, model_reply.finished_calls) == ([], [("find_sales", "refused")])
    assert "not a JSON object" in sent(wire, 1)


async def test_a_model_that_never_stops_wanting_has_to_answer_after_five_rounds(
    wire, dialect, running, talk, bench
):
    wire.script(
        *[wanting(dialect, SALES)] * 5, dialect.stream(["Two sales [source:find_sales:9]."])
    )
    model_reply = await talk(running(dialect))
    assert (model_reply.result.status, model_reply.result.rounds, len(bench.called)) == (
        "complete",
        5,
        5,
    )
    assert model_reply.book.get(Mark("find_sales", 9)), "numbers go on over the rounds"
    last = wire.requests[5].body
    assert "Answer now" in sent(wire, 5)
    if dialect.provider == "ollama":
        assert not last.get("tools")
    else:
        assert last["tools"], "the lines before speak of them"
        assert last["tool_choice"] in ("none", {"type": "none"})


async def test_wanting_on_after_the_last_round_calls_nothing(wire, dialect, running, talk, bench):
    wire.script(*[wanting(dialect, SALES)] * 6)
    model_reply = await talk(running(dialect))
    assert len(bench.called) == len(wire.requests) - 1 == 5
    assert (model_reply.result.status, model_reply.result.reason) == ("failed", "empty")


async def test_a_flood_of_calls_in_one_round_is_bounded(wire, openai, running, talk, bench):
    flood = [Want("find_sales", {"words": str(n)}, f"call_{n}") for n in range(40)]
    wire.script(wanting(openai, *flood), openai.stream(["Enough."]))
    model_reply = await talk(running(openai))
    assert len(bench.called) == MAX_CALLS
    assert [status for _, status in model_reply.finished_calls].count("refused") == 40 - MAX_CALLS


async def test_calls_that_a_server_numbers_all_alike_are_told_apart_by_id(
    wire, openai, running, talk, bench
):
    reply = wanting(openai, SALES, FEES)
    alike = tuple(chunk.replace('"index": 1', '"index": 0') for chunk in reply.chunks)
    wire.script(replace(reply, chunks=alike), openai.stream(["Done."]))
    await talk(running(openai))
    assert sorted(bench.called) == [
        ("fee_rate", {"words": "eBay"}),
        ("find_sales", {"words": "Canon"}),
    ]
