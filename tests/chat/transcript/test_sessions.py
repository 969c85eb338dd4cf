"""A conversation belongs to one person; its turns come one at a time, each with one effect."""

from __future__ import annotations

import functools
from collections.abc import Callable
from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.chat.transcript import messages, sessions
from whence.chat.transcript.messages import (
    Answer,
    NothingToAnswer,
    ReusedClientId,
    StaleTurn,
    TurnRunning,
)
from whence.events import log
from whence.events.types import Progress
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal, Role, Scope, principal

pytestmark = pytest.mark.anyio
SUBJECT = new_id()


@pytest.fixture
def who(platform: Platform) -> Principal:
    return platform.owner


@pytest.fixture
async def chat(platform: Platform, who: Principal) -> UUID:
    async with platform.unit(who) as session:
        return (await sessions.open_session(session, who, "notes", SUBJECT)).id


async def begin(
    platform: Platform, who: Principal, chat: UUID, content: str, lease: float = 60
) -> messages.StartedTurn:
    async with platform.unit(who) as session:
        return await messages.begin_turn(session, who, chat, content, content, lease)


@pytest.mark.parametrize("action", ["\ud800", functools.reduce(lambda a, _: [a], range(300), 1)])
async def test_what_cannot_be_kept_with_a_message_is_refused(
    platform: Platform, who: Principal, chat: UUID, action: object
) -> None:
    meta = {"wizardInput": {"action": action}}
    with pytest.raises(Invalid, match="sent with the message"):
        async with platform.unit(who) as session:
            await messages.begin_turn(session, who, chat, "", "a", 60, meta=meta)


async def test_a_message_and_its_answer_are_kept_in_order(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    begun = await begin(platform, who, chat, "What is it worth?")
    assert begun.is_new
    assert (begun.user.ordinal, begun.answer.ordinal) == (1, 2)
    async with platform.unit(who) as session:
        ended = await messages.end_turn(session, chat, begun.turn_id, Answer("40."), "complete")
    assert (ended.content, ended.status, ended.reply_to) == ("40.", "complete", begun.user.id)
    async with platform.unit(who) as session:
        conversation = await sessions.get(session, who, chat)
    assert (conversation.message_count, conversation.turn_id, conversation.title) == (
        2,
        None,
        "What is it worth?",
    )


async def test_the_same_message_sent_again_has_one_effect(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    first = await begin(platform, who, chat, "hello")
    again = await begin(platform, who, chat, "hello")
    assert not again.is_new
    assert (again.user.id, again.answer.id) == (first.user.id, first.answer.id)


async def test_another_message_under_the_same_client_id_is_refused(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    await begin(platform, who, chat, "hello")
    with pytest.raises(ReusedClientId):
        async with platform.unit(who) as session:
            await messages.begin_turn(session, who, chat, "bye", "hello", 60)


async def test_a_second_message_waits_for_the_answer_to_the_first(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    await begin(platform, who, chat, "one")
    with pytest.raises(TurnRunning):
        await begin(platform, who, chat, "two")


async def test_a_turn_whose_writer_went_silent_is_ended(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    begun = await begin(platform, who, chat, "one")
    async with platform.unit(who) as session:
        await messages.renew(session, chat, begun.turn_id, 0)
    next_one = await begin(platform, who, chat, "two")
    assert next_one.user.ordinal == 3
    async with platform.unit(who) as session:
        cut = await session.get_one(type(begun.answer), (who.org_id, begun.answer.id))
        assert cut.status == "interrupted"
    with pytest.raises(StaleTurn):
        async with platform.unit(who) as session:
            await messages.end_turn(session, chat, begun.turn_id, Answer("late"), "complete")


async def test_looking_at_a_session_ends_a_silent_turn(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    begun = await begin(platform, who, chat, "one", lease=0)
    async with platform.unit(who) as session:
        assert (await sessions.get(session, who, chat)).turn_id is None
        cut = await session.get_one(type(begun.answer), (who.org_id, begun.answer.id))
        assert cut.status == "interrupted"


async def test_a_new_answer_supersedes_the_old_one(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    begun = await begin(platform, who, chat, "one")
    async with platform.unit(who) as session:
        await messages.end_turn(session, chat, begun.turn_id, Answer("old"), "complete")
    async with platform.unit(who) as session:
        again = await messages.begin_again(session, who, chat, 60)
        assert (again.user.id, again.answer.ordinal) == (begun.user.id, 3)
    async with platform.unit(who) as session:
        old = await session.get_one(type(begun.answer), (who.org_id, begun.answer.id))
        assert (old.superseded_by, old.content) == (again.answer.id, "old")


async def test_there_must_be_a_message_to_answer_anew(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    with pytest.raises(NothingToAnswer):
        async with platform.unit(who) as session:
            await messages.begin_again(session, who, chat, 60)


async def test_a_notice_is_posted_once_also_during_a_turn(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    await begin(platform, who, chat, "one")
    async with platform.unit(who) as session:
        notice = await messages.post_notice(session, chat, "run 1", Answer("Research is done."))
        assert notice
        assert notice.ordinal == 3
        assert await messages.post_notice(session, chat, "run 1", Answer("again")) is None
        assert await messages.post_notice(session, new_id(), "run 1", Answer("gone")) is None


@pytest.mark.parametrize("content", ["", " \n", "x" * 20_001])
async def test_a_message_has_words_and_an_end(
    platform: Platform, who: Principal, chat: UUID, content: str
) -> None:
    with pytest.raises(Invalid):
        async with platform.unit(who) as session:
            await messages.begin_turn(session, who, chat, content, "a", 60)


async def test_nobody_else_finds_a_conversation(
    platform: Platform, who: Principal, chat: UUID, new_principal: Callable[..., Principal]
) -> None:
    stranger = new_principal(Role.OWNER)
    colleague = new_principal(Role.OWNER, who.org_id)
    for other in (stranger, colleague):
        async with platform.unit(other) as session:
            assert await sessions.list_sessions(session, other) == []
            for view in (
                sessions.get(session, other, chat),
                sessions.delete(session, other, chat),
                sessions.rename(session, other, chat, "Mine"),
                messages.begin_turn(session, other, chat, "hello", "a", 60),
                messages.begin_again(session, other, chat, 60),
            ):
                with pytest.raises(NotFound):
                    await view


async def test_a_read_only_token_may_not_talk_and_a_viewer_may(
    platform: Platform, who: Principal
) -> None:
    token = Principal(who.org_id, who.user_id, Role.OWNER, frozenset({Scope.READ}))
    viewer = principal(who.org_id, who.user_id, Role.VIEWER)
    async with platform.unit(who) as session:
        with pytest.raises(sessions.MayNotTalk):
            await sessions.open_session(session, token, "notes", SUBJECT)
        assert await sessions.open_session(session, viewer, "notes", SUBJECT)


async def test_a_deleted_conversation_leaves_no_words(
    platform: Platform, who: Principal, chat: UUID
) -> None:
    begun = await begin(platform, who, chat, "a secret")
    async with platform.unit(who) as session:
        await log.append(session, chat, Progress(node="chat", message="a secret"))
    async with platform.unit(who) as session:
        await sessions.delete(session, who, chat)
    assert await log.read(platform.db, who.org_id, chat, 0) == []
    async with platform.unit(who) as session:
        assert await sessions.latest_session(session, who, "notes", SUBJECT) is None
        assert await session.get(type(begun.user), (who.org_id, begun.user.id)) is None
        with pytest.raises(NotFound):
            await sessions.get(session, who, chat)
    with pytest.raises(StaleTurn):
        async with platform.unit(who) as session:
            await messages.end_turn(session, chat, begun.turn_id, Answer("late"), "complete")
