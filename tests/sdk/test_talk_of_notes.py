"""What the sample pack's chat about notes shows: a value that research concluded, by its name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from sdk.test_testing import FOLDER
from whence.chat.language.understanding import understand
from whence.chat.turns.model_actions import actions_of
from whence.evidence.records import Verdict
from whence.sdk import Pack
from whence.sdk.testing import load_pack, run_flow

pytestmark = pytest.mark.anyio
LONG = "Ships leave the harbour at dawn, when the tide is high enough for them."


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(FOLDER)


async def researched(pack: Pack, text: str) -> Any:
    return await run_flow(pack, pack.flows[0], pack.subjects[0].record(title="A", text=text))


async def test_a_long_note_has_its_first_words_quoted_as_a_claim(pack: Pack) -> None:
    result = await researched(pack, LONG)
    opening = next(each for each in result.claims if each.draft.path == "opening")
    assert (opening.draft.value, opening.verdict) == (
        "Ships leave the harbour at",
        Verdict.SUPPORTED,
    )
    assert "opening" not in (await researched(pack, "Too short")).dossier.body


async def test_a_concluded_value_is_proposed_by_its_name_and_cites_its_claim(pack: Pack) -> None:
    view = (await researched(pack, LONG)).record_view()
    [change] = understand("set the title to the opening words", pack.chats[0], view).changes
    assert (change.field, change.value) == ("title", "Ships leave the harbour at")
    assert change.claims == ("opening",)


async def test_without_the_claim_the_chat_says_so(pack: Pack) -> None:
    view = (await researched(pack, "Too short")).record_view()
    reading = understand("set the title to the opening words", pack.chats[0], view)
    assert "Research has no supported opening words" in str(reading.refusal)


async def test_a_model_is_offered_the_choice_as_a_tool(pack: Pack) -> None:
    view = (await researched(pack, LONG)).record_view()
    turn: Any = SimpleNamespace(deps=SimpleNamespace(chat=lambda kind: pack.chats[0]))
    tools = {tool.name: tool for tool in actions_of(turn, view)}
    assert "Choices: opening words." in tools["suggest_title"].description
    assert tools["suggest_title"].arguments.model_validate({"choice": "opening words"})
