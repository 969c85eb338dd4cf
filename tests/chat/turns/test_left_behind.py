"""What an answer leaves behind when the program is stopped while it is written."""

from __future__ import annotations

import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import desk_of
from whence.app import build
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio


async def test_the_pieces_of_an_answer_that_a_stop_ends_are_forgotten_before_the_database_is_left(
    settings: Settings, model: SlowModel
) -> None:
    changes = {"model": "ollama:slow", "model_base_url": model.base}
    async with build.platform(settings) as other:
        async with build.platform(settings.model_copy(update=changes)) as platform:
            desk = await desk_of(platform, platform.owner)
            begun = await desk.send("How long is it?")
            model.say("It is short. ")
            await desk.until(lambda events: any(each.type == "token" for each in events))
        left = desk.on(other)
        answer = await left.answer(begun)
        assert (answer.status, answer.content) == ("interrupted", "It is short.")
        assert [each for each in await left.events() if each.type == "token"] == []
