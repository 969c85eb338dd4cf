"""A model proposes the price that research found, by its name, and the proposal cites the claim."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from llm.conftest import Wire, wire
from llm.wire.conftest import OpenAI
from llm.wire.talking import Want, wanting
from whence.app import build
from whence.chat.transcript import history, sessions
from whence.kernel.ids import new_id
from whence.packs.resale.pack import FOLDER

__all__ = ["wire"]
pytestmark = pytest.mark.anyio
OPENAI = OpenAI()


class Talk:
    """A conversation with a model about an item that rules have researched."""

    def __init__(self, platform: Any, wire: Wire, item: UUID) -> None:
        self.platform, self.wire, self.item = platform, wire, item

    async def wants(self, message: str, choice: str) -> Any:
        """The answer to a message after which the model calls `suggest_price`."""
        want = Want("suggest_price", {"choice": choice})
        self.wire.script(wanting(OPENAI, want), OPENAI.stream(["Ich schlage es vor."]))
        who, turns = self.platform.owner, self.platform.turns
        async with self.platform.unit(who) as session:
            chat = (await sessions.open_session(session, who, "items", self.item)).id
        turn = await turns.send(who, chat, message, str(new_id()))
        await turns.wait_for_turn(turn.turn_id)
        async with self.platform.unit(who) as session:
            messages = await history.page(session, chat)
        return next(each for each in messages if each.id == turn.answer.id)


@pytest.fixture
async def researched(desk: Any) -> Any:
    """A researched item: its id and its dossier."""
    await desk.imported("listings", FOLDER / "sample" / "listings.csv")
    item = await desk.item(
        title="Aurelia QuietBand 700 wireless noise cancelling headphones, black",
        brand="Aurelia",
        model="QuietBand 700",
        condition="good",
    )
    return item, await desk.research(item)


@pytest.fixture
async def talk(
    desk: Any, researched: Any, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Talk]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nothing")
    model = {"model": f"openai:{OPENAI.name}", "model_base_url": wire.url + OPENAI.base}
    async with build.platform(desk.platform.settings.model_copy(update=model)) as platform:
        yield Talk(platform, wire, researched[0])


@pytest.mark.parametrize("choice", ["target", "floor", "ceiling"])
async def test_each_band_can_be_suggested_with_its_claim(
    talk: Talk, researched: Any, choice: str
) -> None:
    answer = await talk.wants("Kannst du bitte einen sinnvollen Preis dafür vorschlagen?", choice)
    [action] = answer.actions
    amount = researched[1].body["price"][choice]["amount"]
    [change] = action["changes"]
    assert (change["field"], change["after"]) == ("defaultPrice", amount)
    assert action["claims"] == [f"price.{choice}.amount"]
    assert action["status"] == "proposed"


async def test_a_band_that_does_not_exist_is_refused(talk: Talk) -> None:
    answer = await talk.wants("Kannst du bitte einen sinnvollen Preis dafür vorschlagen?", "top")
    assert answer.actions == []
    [call] = answer.tool_calls
    assert (call["name"], call["status"]) == ("suggest_price", "refused")


async def test_a_change_that_names_the_target_cites_its_claim_without_a_model(
    desk: Any, researched: Any
) -> None:
    who, turns = desk.platform.owner, desk.platform.turns
    async with desk.platform.unit(who) as session:
        chat = (await sessions.open_session(session, who, "items", researched[0])).id
    turn = await turns.send(who, chat, "price it at the target", str(new_id()))
    await turns.wait_for_turn(turn.turn_id)
    async with desk.platform.unit(who) as session:
        answer = next(each for each in await history.page(session, chat) if each.actions)
    assert answer.actions[0]["claims"] == ["price.target.amount"]
