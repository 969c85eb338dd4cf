"""Several processes: an answer that one writes is heard at another, also when its writer dies."""

from __future__ import annotations

import pytest

from agent.conftest import served
from agent.desk import PATH, AgentReply
from chat.slow_model import SlowModel
from whence.app import build
from whence.kernel.settings import Settings

pytestmark = pytest.mark.anyio

PIECES = [f"Piece {letter} of it. " for letter in "abcdef"]


async def test_an_answer_goes_on_at_another_process_and_survives_its_own(
    settings: Settings, model: SlowModel
) -> None:
    changed = model.for_answers(settings)
    body = {"message": "How many?", "context": {"page": "sample_pack.notes"}}
    answer = AgentReply()
    async with build.platform(changed) as there, served(there) as elsewhere:
        async with build.platform(changed) as here, served(here) as browser:
            model.say(PIECES[0])
            await browser.hear(body, most=2, reply=answer)
            for piece in PIECES[1:]:
                model.say(piece)
                await elsewhere.hear(body, answer.ids[-1], most=1, reply=answer)
        # The process that wrote it has stopped: the text so far is kept, and told as it is.
        path = f"{PATH}/{answer.events[0]['conversationId']}/events"
        await elsewhere.hear(None, answer.ids[-1], reply=answer, path=path)
    # With its end its pieces go: who was behind by one gets a gap, and the whole.
    assert answer.types[0] in ("conversation", "gap")
    assert answer.types.count("done") == 1
    assert answer.done["status"] == "interrupted"
    assert answer.text.strip() == answer.done["content"].strip() == "".join(PIECES).strip()
    assert "stopped while answering" in answer.one("error")["message"]
