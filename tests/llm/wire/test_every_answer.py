"""A skill on each real provider client: what it sends, and what becomes of every kind of answer."""

from __future__ import annotations

import json
import logging
from datetime import date

import pytest
import structlog
from pydantic import BaseModel, Field

from whence.llm import ImagePart, skill

pytestmark = pytest.mark.anyio

KEEP_FROM = 0.7
GOOD = json.dumps({"brand": "Canon", "model": "EOS R6", "confidence": 0.9})
MODEL = {"brand": "Canon", "model": "EOS R6", "confidence": 0.9}


class RecordView(BaseModel):
    title: str
    ocr: list[str] = []
    seen_on: date = date(2025, 5, 1)
    photos: int = 2


class Named(BaseModel):
    """What the product is."""

    brand: str = Field(description="Maker, as printed")
    model: str | None = None
    confidence: float = Field(ge=0, le=1)


class LookWithPhotos(BaseModel):
    title: str
    images: list[ImagePart] = []


@skill(prompt="name_the_product.md", constants={"keep_from": KEEP_FROM}, rules_version=2)
async def name_the_product(view: RecordView) -> Named:
    """The first word is the brand."""
    return Named(brand=view.title.split()[0], confidence=0.3)


@skill(prompt="look_at_it.md", vision=True)
async def look_at_it(photos: LookWithPhotos) -> Named:
    """Nothing can be seen without a model."""
    return Named(brand="unknown", confidence=0.0)


LOOK = RecordView(title="Canon EOS R6 body")


async def test_a_good_answer_is_taken_as_it_is(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.whole(GOOD))
    result = await name_the_product.run(LOOK)
    assert result.value.model_dump() == MODEL
    assert result.outcome == "ok"
    assert result.method == f"model:{dialect.provider}:{dialect.name}/name_the_product@3"
    [call] = runtime.log.calls
    assert (call.outcome, call.calls, call.tokens_in, call.tokens_out) == ("ok", 1, 100, 20)
    assert call.exact
    assert call.latency_ms > 0
    assert wire.requests[0].path == dialect.path


async def test_calling_the_skill_gives_just_the_output(wire, dialect, running):
    running(dialect)
    wire.script(dialect.whole(GOOD))
    assert (await name_the_product(LOOK)).brand == "Canon"


async def test_the_model_is_held_to_the_output_schema_in_its_providers_own_way(
    wire, dialect, running
):
    running(dialect)
    wire.script(dialect.whole(GOOD))
    await name_the_product(LOOK)
    body = wire.requests[0].body
    schema = {
        "openai": lambda: body["response_format"]["json_schema"]["schema"],
        "anthropic": lambda: body["output_config"]["format"]["schema"],
        "ollama": lambda: body["format"],
    }[dialect.provider]()
    assert schema["required"] == ["brand", "model", "confidence"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["confidence"]["description"] == "(minimum 0, maximum 1)"


async def test_an_old_claude_answers_through_a_forced_tool(wire, anthropic, running):
    running(anthropic, name="claude-3-5-haiku-20241022")
    use = {"type": "tool_use", "id": "t1", "name": "Named", "input": MODEL}
    wire.script(anthropic.blocks([use], "tool_use"))
    assert (await name_the_product(LOOK)).model == "EOS R6"
    assert wire.requests[0].body["tool_choice"] == {"type": "tool", "name": "Named"}


async def test_broken_json_is_sent_back_once_with_the_fault(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.whole('{"brand": "Canon", "confidence": 0.9'), dialect.whole(GOOD))
    result = await name_the_product.run(LOOK)
    assert (result.value.model_dump(), result.outcome) == (MODEL, "repaired")
    assert "not JSON" in json.dumps(wire.requests[1].body["messages"])
    [call] = runtime.log.calls
    assert (call.outcome, call.calls, call.tokens_in) == ("repaired", 2, 200)


async def test_an_answer_against_the_rules_is_sent_back_with_the_validators_words(
    wire, dialect, running
):
    running(dialect)
    wire.script(dialect.whole('{"brand": "Canon", "confidence": 7}'), dialect.whole(GOOD))
    assert (await name_the_product.run(LOOK)).outcome == "repaired"
    text = json.dumps(wire.requests[1].body["messages"])
    assert "confidence: Input should be less than or equal to 1" in text


async def test_json_that_is_still_broken_in_the_second_answer_is_repaired_and_validated(
    wire, dialect, running
):
    running(dialect)
    wire.script(*[dialect.whole('{"brand": "Canon", "model": "EOS R6", "confidence": 0.90,}')] * 2)
    result = await name_the_product.run(LOOK)
    assert (result.value.model_dump(), result.outcome) == (MODEL, "repaired")
    assert len(wire.requests) == 2


async def test_what_a_repair_makes_of_an_answer_must_be_valid_too(wire, dialect, running):
    running(dialect)
    wire.script(*[dialect.whole('{"brand": "Canon", "confidence": 9.0,}')] * 2)
    assert (await name_the_product.run(LOOK)).outcome == "fallback"


async def test_broken_twice_falls_back_to_the_rules_and_says_so(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.whole("I think it is a Canon."), dialect.whole('{"brand": 5}'))
    result = await name_the_product.run(LOOK)
    assert result.value == Named(brand="Canon", confidence=0.3)
    assert (result.outcome, result.reason) == ("fallback", "invalid")
    assert result.method == "rules:name_the_product@2"
    [call] = runtime.log.calls
    assert (call.outcome, call.reason, call.calls) == ("fallback", "invalid", 2)
    assert "brand" in (call.detail or "")


async def test_a_late_answer_is_tried_three_times_then_left_to_the_rules(wire, dialect, running):
    runtime = running(dialect, timeout=0.3)
    wire.script(*[_late(dialect.whole(GOOD))] * 3)
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason) == ("fallback", "timeout")
    [call] = runtime.log.calls
    assert call.calls == len(wire.requests) == 3
    assert call.tokens_in > 0, "a provider may charge for what we did not wait for"
    assert not call.exact


async def test_429_is_obeyed_for_as_long_as_retry_after_says(wire, dialect, running, fail):
    runtime = running(dialect)
    wire.script(fail(429, "slow down", Retry_After="1"), dialect.whole(GOOD))
    result = await name_the_product.run(LOOK)
    assert result.outcome == "ok"
    first, second = wire.requests
    assert 1.0 <= second.at - first.at < 5.0
    assert runtime.log.calls[0].calls == 2
    assert runtime.log.calls[0].tokens_in == 100


async def test_a_retry_after_beyond_our_patience_is_left_to_the_rules(wire, dialect, running, fail):
    running(dialect)
    wire.script(fail(429, "tomorrow", Retry_After="3600"))
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "rate_limited", 1)


async def test_500_is_tried_again(wire, dialect, running, fail):
    running(dialect)
    wire.script(fail(500), fail(503), dialect.whole(GOOD))
    assert (await name_the_product.run(LOOK)).outcome == "ok"


async def test_500_three_times_falls_back(wire, dialect, running, fail):
    running(dialect)
    wire.script(fail(500), fail(500), fail(500), dialect.whole(GOOD))
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "server_error", 3)


async def test_a_request_that_the_provider_rejects_is_not_repeated(wire, dialect, running, fail):
    running(dialect)
    wire.script(fail(404, "model not found"))
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "rejected", 1)
    assert "model not found" in (result.detail or "")


async def test_an_answer_cut_on_the_wire_is_asked_for_again(wire, dialect, running):
    running(dialect)
    whole = dialect.whole(GOOD)
    half = type(whole)((whole.chunks[0][:60],), headers=whole.headers, cut="abruptly")
    wire.script(half, whole)
    assert (await name_the_product.run(LOOK)).outcome == "ok"


async def test_an_ollama_that_dies_in_an_answer_has_not_finished_it(wire, ollama, running):
    running(ollama)
    wire.script(*[ollama.stream([GOOD], cut="cleanly")] * 3)
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "interrupted", 3)


@pytest.mark.parametrize("kind", ["refusal", "filtered"])
async def test_a_refusal_goes_to_the_rules_at_once(wire, dialect, running, kind):
    if not hasattr(dialect, kind):
        pytest.skip("Ollama has no refusal on the wire")
    running(dialect)
    wire.script(getattr(dialect, kind)())
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "refused", 1)


async def test_a_truncated_answer_is_not_believed_even_if_it_parses(wire, dialect, running):
    runtime = running(dialect)
    wire.script(dialect.truncated(GOOD))
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason, len(wire.requests)) == ("fallback", "truncated", 1)
    assert runtime.log.calls[0].tokens_in == 100


async def test_an_empty_answer_goes_to_the_rules(wire, dialect, running):
    running(dialect)
    wire.script(dialect.whole(""))
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason) == ("fallback", "empty")


async def test_a_server_that_is_no_model_provider_goes_to_the_rules(wire, dialect, running):
    running(dialect)
    page = type(dialect.whole(""))(("<html>welcome</html>",), headers={"Content-Type": "text/html"})
    wire.script(page)
    result = await name_the_product.run(LOOK)
    assert result.outcome == "fallback"
    assert result.reason in ("malformed", "server_error")


async def test_a_provider_that_is_not_there_goes_to_the_rules(dialect, running, wire):
    runtime = running(dialect)
    object.__setattr__(runtime.models.text.choice, "base_url", "http://127.0.0.1:9" + dialect.base)
    result = await name_the_product.run(LOOK)
    assert (result.outcome, result.reason) == ("fallback", "connection")
    assert runtime.log.calls[0].tokens_in == 0


async def test_photographs_reach_the_vision_model(wire, dialect, running):
    running(dialect)
    wire.script(dialect.whole(GOOD))
    look = LookWithPhotos(title="a camera", images=[ImagePart(media_type="image/png", data=b"abc")])
    assert (await look_at_it.run(look)).outcome == "ok"
    assert "YWJj" in json.dumps(wire.requests[0].body)


async def test_without_photographs_the_vision_model_is_not_asked(wire, dialect, running):
    running(dialect)
    result = await look_at_it.run(LookWithPhotos(title="a camera"))
    assert (result.outcome, result.reason, wire.requests) == ("no_model", "no_images", [])


async def test_the_key_is_sent_to_the_provider_and_appears_nowhere_else(
    wire, dialect, running, fail, key, caplog, capfd
):
    caplog.set_level(logging.DEBUG)
    runtime = running(dialect)
    wire.script(
        fail(401, f"Incorrect API key provided: {key}"),
        fail(500, key),
        dialect.whole("nonsense"),
        dialect.whole("nonsense"),
    )
    with structlog.testing.capture_logs() as lines:
        first = await name_the_product.run(LOOK)
        second = await name_the_product.run(LOOK)
    everything = [caplog.text, lines, capfd.readouterr(), first, second, runtime.log.calls, runtime]
    assert key not in repr(everything)
    if dialect.provider != "ollama":
        assert key in repr(wire.requests[0].headers)


async def test_nobody_but_the_provider_hears_of_a_call(wire, dialect, running, tracing_elsewhere):
    running(dialect)
    wire.script(dialect.whole(GOOD))
    await name_the_product(LOOK)
    await tracing_elsewhere()
    assert [request.path for request in wire.requests] == [dialect.path]


def _late(reply):
    return type(reply)(reply.chunks, headers=reply.headers, delay=1.0)
