"""What a model may set off: a proposal or a job, only where the person asks for one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chat.model.engine import scripted
from llm.conftest import Wire
from llm.wire.conftest import anthropic, dialect, ollama, openai
from llm.wire.talking import Want, wanting
from whence.kernel.settings import Settings

__all__ = ["anthropic", "dialect", "ollama", "openai"]
pytestmark = pytest.mark.anyio
ACTIONS = {"start_research", "propose_change"}


@pytest.fixture
def open_desk(
    settings: Settings, wire: Wire, dialect: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(key, "sk-nothing")
    model = {
        "model": f"{dialect.provider}:{dialect.name}",
        "model_base_url": wire.url + dialect.base,
    }
    return lambda: scripted(settings.model_copy(update=model), wire, (), **model)


def offered(wire: Wire, number: int = 0) -> set[str]:
    tools = wire.requests[number].body.get("tools", ())
    return {tool.get("name") or tool["function"]["name"] for tool in tools}


async def test_a_change_in_any_language_becomes_a_proposal(
    open_desk: Any, wire: Wire, dialect: Any
) -> None:
    async with open_desk() as desk:
        want = Want("propose_change", {"field": "title", "value": "Lampe"})
        wire.script(wanting(dialect, want), dialect.stream(["Ich schlage es vor."]))
        answer = await desk.say("Nenn die Notiz doch bitte lieber Lampe, ja?")
        assert offered(wire) >= ACTIONS
        [action] = answer.actions
        assert action["status"] == "proposed"
        assert [(each["field"], each["after"]) for each in action["changes"]] == [
            ("title", "Lampe")
        ]
        assert answer.content == "Ich schlage es vor."


async def test_a_value_that_rules_would_refuse_is_refused_to_a_model_too(
    open_desk: Any, wire: Wire, dialect: Any
) -> None:
    async with open_desk() as desk:
        want = Want("propose_change", {"field": "colour", "value": "red"})
        wire.script(wanting(dialect, want), dialect.stream(["Das geht nicht."]))
        answer = await desk.say("Mach die Notiz doch bitte rot, ja?")
        assert answer.actions == []
        [call] = answer.tool_calls
        assert (call.name, call.status) == ("propose_change", "refused")
        assert "cannot be changed" in (call.summary or "")


async def test_research_starts_once_however_often_a_model_asks(
    open_desk: Any, wire: Wire, dialect: Any
) -> None:
    async with open_desk() as desk:
        wants = [Want("start_research", {}, f"call_{n}") for n in range(3)]
        wire.script(wanting(dialect, *wants), dialect.stream(["Sie läuft."]))
        answer = await desk.say("Kannst du das bitte für mich auf den neuesten Stand bringen?")
        assert sorted(call.status for call in answer.tool_calls) == ["ok", "refused", "refused"]
        assert answer.meta["research"]["jobId"]


async def test_a_plain_question_offers_a_model_nothing_to_set_off(
    open_desk: Any, wire: Wire, dialect: Any
) -> None:
    async with open_desk() as desk:
        wire.script(dialect.stream(["It is short."]))
        await desk.say("How long is it?")
        assert not offered(wire) & ACTIONS
