"""A test call says exactly which failure it is, once, and is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from llm.conftest import Wire
from llm.wire.conftest import Reply
from whence.llm import MemoryLog, load_prices
from whence.llm.models import ChatModel
from whence.llm.probe import ModelProbe, probe_model

pytestmark = pytest.mark.anyio
READY = '{"word": "ready"}'


async def probed(model: ChatModel, log: MemoryLog | None = None) -> ModelProbe:
    return await probe_model(model, load_prices(), log or MemoryLog())


async def test_an_answer_is_counted_with_tokens_and_money(
    wire: Wire, dialect: Any, model_of: Any
) -> None:
    wire.script(dialect.whole(READY))
    log = MemoryLog()
    result = await probed(model_of(dialect), log)
    assert (result.result, result.detail) == ("ok", None)
    assert (result.tokens_in, result.tokens_out, result.is_exact) == (100, 20, True)
    [call] = log.calls
    assert (call.skill, call.outcome, call.calls) == ("test_call", "ok", 1)


@pytest.mark.parametrize(
    ("status", "result"), [(401, "key_refused"), (429, "rate_limited"), (500, "failed")]
)
async def test_a_refusal_is_named_and_not_tried_again(
    wire: Wire, dialect: Any, model_of: Any, fail: Any, status: int, result: str
) -> None:
    wire.script(fail(status))
    log = MemoryLog()
    probe = await probed(model_of(dialect), log)
    assert probe.result == result
    assert len(wire.requests) == 1
    assert (log.calls[0].outcome, log.calls[0].calls) == ("error", 1)


async def test_nonsense_and_a_page_of_html_are_nonsense(
    wire: Wire, dialect: Any, model_of: Any
) -> None:
    wire.script(dialect.whole("Good morning!"))
    assert (await probed(model_of(dialect))).result == "nonsense"
    wire.script(Reply(("<html>hello</html>",), headers={"Content-Type": "text/html"}))
    assert (await probed(model_of(dialect))).result == "nonsense"


async def test_silence_and_a_closed_port_differ(wire: Wire, dialect: Any, model_of: Any) -> None:
    model = model_of(dialect)
    wire.script(replace(dialect.whole(READY), delay=2.0))
    hasty = ChatModel(replace(model.choice, timeout=0.3))
    assert (await probed(hasty)).result == "timeout"
    nobody = ChatModel(replace(model.choice, base_url="http://127.0.0.1:1"))
    assert (await probed(nobody)).result == "unreachable"
