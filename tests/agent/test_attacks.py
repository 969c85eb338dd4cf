"""Words planted in what a page shows: a model that obeys them has nothing with which to harm."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.desk import Browser, Refused
from chat.attacks import ATTACKS
from chat.model.test_attacks import assert_fenced, assert_nothing_gets_out
from chat.model.test_attacks_on_the_engine import contents
from llm.conftest import Wire
from llm.wire.conftest import OpenAI
from llm.wire.talking import Want, wanting
from whence.app.platform import Platform
from whence.records import store
from whence.tenancy.principal import Role

pytestmark = pytest.mark.anyio

OPENAI = OpenAI()
LIST, ONE = "sample_pack.notes", "sample_pack.note"


async def note_of(browser: Browser, planted: str) -> str:
    body = {"title": planted[:80], "text": planted}
    return (await browser.client.post("/api/notes", json=body)).json()["id"]


async def test_no_attack_on_a_page_writes_or_reaches_out(
    modelled: Platform, asking: Browser, wire: Wire
) -> None:
    notes = [await note_of(asking, attack.planted) for attack in ATTACKS]
    before = await contents(modelled)
    for number, (attack, note) in enumerate(zip(ATTACKS, notes, strict=True)):
        wanted = [("count_words", {"text": attack.planted}), *attack.wants]
        wants = [Want(name, arguments, f"call_{n}") for n, (name, arguments) in enumerate(wanted)]
        wire.script(wanting(OPENAI, *wants), OPENAI.stream([attack.says[:5], attack.says[5:]]))
        page, ids = ((LIST, {}), (ONE, {"noteId": note}))[number % 2]
        answer = await asking.ask("What is it worth?", page, ids=ids)
        assert not wire.replies, f"{attack.name}: the model was asked"
        results = [e for e in answer.events if e["type"] == "tool_call_result"]
        worked = {e["toolName"] for e in results if e["status"] == "done"}
        assert worked == {"count_words"}, attack.name
        assert all(e["action"] is None for e in results), attack.name
        for shown in (answer.text, answer.done["content"]):
            assert_nothing_gets_out(shown)
    assert await contents(modelled) == before
    for attack, request in zip(ATTACKS, wire.requests[::2], strict=True):
        offered = [one["function"]["name"] for one in request.body["tools"]]
        assert offered == ["count_words"]
        assert_fenced(attack, request.body["messages"])


async def test_no_attack_on_a_list_gets_out_without_a_model(browser: Browser) -> None:
    for attack in ATTACKS:
        note = await note_of(browser, attack.planted)
        for question in ("How many notes are there?", "Which notes wait for research?"):
            answer = await browser.ask(question, LIST)
            for shown in (answer.text, answer.done["content"]):
                assert_nothing_gets_out(shown)
            assert answer.done["references"][0]["path"] in ("all", "waiting")
        assert (await browser.client.delete(f"/api/notes/{note}")).status_code == 204


async def test_a_page_tells_nothing_of_other_organizations(
    modelled: Platform, asking: Browser, wire: Wire, new_principal: Any
) -> None:
    away = new_principal(Role.OWNER)
    kind = modelled.kind("notes")
    async with modelled.unit(away) as session:
        record = kind.record(title="A secret of theirs", text="b")
        note = (await store.create(session, away, kind, record)).id
    with pytest.raises(Refused) as refused:
        await asking.ask("What is it?", ONE, ids={"noteId": str(note)})
    assert refused.value.status == 404
    wire.script(OPENAI.stream(["Nothing."]))
    answer = await asking.ask("What is here?", LIST)
    assert answer.done["status"] == "complete"
    assert len(wire.requests) == 1, "no model was asked about a page that is not there"
    assert "secret of theirs" not in json.dumps(wire.requests[0].body)
    assert "There are no notes." in json.dumps(wire.requests[0].body)
