"""Several processes: an answer that one writes is heard at another, also when its writer dies."""

from __future__ import annotations

import pytest

from agent.conftest import served
from agent.desk import PATH, Told
from chat.turns.conftest import SlowModel
from whence.app import build
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio

PIECES = [f"Piece {n} of it. " for n in range(6)]


async def test_an_answer_goes_on_at_another_process_and_survives_its_own(
    settings: Settings, model: SlowModel
) -> None:
    changed = settings.model_copy(update={"model": "ollama:slow", "model_base_url": model.base})
    body = {"message": "How many?", "context": {"page": "sample_pack.notes"}}
    told = Told()
    async with build.platform(changed) as there, served(there) as elsewhere:
        async with build.platform(changed) as here, served(here) as browser:
            model.say(PIECES[0])
            await browser.hear(body, most=2, told=told)
            for piece in PIECES[1:]:
                model.say(piece)
                await elsewhere.hear(body, told.ids[-1], most=1, told=told)
        # The process that wrote it has stopped: the text so far is kept, and told as it is.
        path = f"{PATH}/{told.events[0]['conversationId']}/events"
        await elsewhere.hear(None, told.ids[-1], told=told, path=path)
    # With its end its pieces go: who was behind by one gets a gap, and the whole.
    assert told.types[0] in ("conversation", "gap")
    assert told.types.count("done") == 1
    assert told.done["status"] == "interrupted"
    assert told.text.strip() == told.done["content"].strip() == "".join(PIECES).strip()
    assert "the text so far is kept" in told.one("error")["message"]
