"""An edited message: the conversation goes on from it, and the old branch stays readable."""

from __future__ import annotations

from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.chat.transcript import history, messages, sessions
from whence.chat.transcript.editing import EditedBefore, meta_of
from whence.chat.transcript.messages import Answer, StartedTurn
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio


async def say(
    platform: Platform, chat: UUID, content: str, replaces: UUID | None = None
) -> StartedTurn:
    """A message with its whole answer."""
    who, meta = platform.owner, meta_of(None, replaces)
    async with platform.unit(who) as session:
        turn = await messages.begin_turn(session, who, chat, content, str(new_id()), 60, meta=meta)
    async with platform.unit(who) as session:
        answer = Answer(f"to {content}")
        await messages.end_turn(session, chat, turn.turn_id, answer, "complete")
    return turn


async def test_an_edited_message_takes_the_place_of_its_branch(platform: Platform) -> None:
    who = platform.owner
    async with platform.unit(who) as session:
        chat = (await sessions.open_session(session, who, "notes", new_id())).id
    kept = await say(platform, chat, "first")
    old = await say(platform, chat, "second")
    await say(platform, chat, "third")
    edited = await say(platform, chat, "second, better", old.user.id)
    async with platform.unit(who) as session:
        read = await history.current_messages(session, chat, before=100, limit=100)
        everything = await history.batch(session, chat, after=0, up_to=99, limit=99)
    assert [each.content for each in read] == [
        "first",
        "to first",
        "second, better",
        "to second, better",
    ]
    assert len(everything) == 8
    replaced = {each.content for each in everything if each.superseded_by == edited.user.id}
    assert replaced == {"second", "to second", "third", "to third"}

    with pytest.raises(EditedBefore):
        await say(platform, chat, "again", old.user.id)
    with pytest.raises(NotFound):
        await say(platform, chat, "an answer is not mine", kept.answer.id)
    with pytest.raises(Invalid):
        await say(platform, chat, " ", edited.user.id)
