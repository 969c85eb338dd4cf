"""A turn on a page for one client: the conversation's events converted to the agent's own.

They are a projection of the conversation's log, so that a client that reconnects, to any process,
continues where it was.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from whence.app.platform import Platform
from whence.chat.pages import sessions as page_sessions
from whence.chat.pages.turn_log import calls_so_far, log_position
from whence.chat.transcript.views import MessageAnswer
from whence.chat.turns.snapshot import answer_so_far
from whence.chat.turns.turn_subject import PAGE_CONTEXT
from whence.kernel.errors import Invalid
from whence.tenancy.principal import Principal
from whence.transports.routes.streams.agent_events import (
    Conversation,
    Done,
    Gap,
    Trouble,
    of_answer,
    of_event,
)
from whence.transports.routes.streams.event_stream import (
    ACCESS_ENDED,
    GAP,
    Message,
    Opening,
    can_follow,
    gap_of,
)

ANSWER = "answer"
"""The current answer with the tools it has called; a turn starts with it here."""
_ID = re.compile(r"([0-9a-f-]{36})\.(?:(\d{1,18})\.(\d{1,3})|again)")


class BadEventId(Invalid):
    """`Last-Event-ID` is not an event id of this agent; repeat the call without it."""


@dataclass(frozen=True)
class Cursor:
    """A client's position in a turn: all events up to `seq`, and the first `part` agent events of
    the next one.

    Without `seq` the client joined the turn late and must get it again from the beginning.
    """

    turn_id: UUID
    seq: int | None
    part: int = 0

    def __str__(self) -> str:
        place = "again" if self.seq is None else f"{self.seq}.{self.part}"
        return f"{self.turn_id}.{place}"

    @classmethod
    def read(cls, written: str) -> Cursor:
        """Parse an event's id; raises BadEventId."""
        match = _ID.fullmatch(written.strip())
        if match is None:
            raise BadEventId
        try:
            turn_id = UUID(match[1])
        except ValueError as error:
            raise BadEventId from error
        return cls(turn_id, int(match[2]) if match[2] else None, int(match[3] or 0))


@dataclass(frozen=True)
class Piece:
    """One event for a client: `data` has its `type`; `id` is the position after it."""

    data: dict[str, Any]
    id: str


@dataclass(frozen=True)
class Turn:
    """A turn from one client's position; `is_told`: the client already has all of it."""

    turn_id: UUID
    cursor: Cursor | None
    begin: Opening
    is_told: bool


async def turn_at(
    platform: Platform, who: Principal, turn_id: UUID, cursor: Cursor | None = None
) -> Turn:
    """Find one's own turn and the client's position in it; raises NotFound."""
    after = cursor.seq if cursor else None
    begin, end = await _turn_now(
        platform, who, turn_id, after, is_lost=bool(cursor) and after is None
    )
    return Turn(turn_id, cursor, begin, bool(end and after is not None and after >= end))


async def _turn_now(
    platform: Platform, who: Principal, turn_id: UUID, after: int | None, *, is_lost: bool
) -> tuple[Opening, int | None]:
    """The current turn, and the `seq` of the event with its end."""
    async with platform.unit(who) as session:
        page_session = await page_sessions.of_turn(session, who, turn_id)
        stream = page_session.id
        # The cursor first: what comes after it is told as events, what came before as the answer.
        place = await log_position(session, stream, turn_id)
        last, end = place.last, place.end
        turn = await page_sessions.turn(session, page_session, turn_id)
        answer = MessageAnswer.model_validate(turn.answer)
        calls: list[dict[str, Any]] = []
        if answer.status == "streaming":
            text = await answer_so_far(session, stream, answer.id, last)
            answer = answer.model_copy(update={"content": text})
            calls = await calls_so_far(session, stream, answer.id, last)
        elif end is None:  # it has ended since
            end = (await log_position(session, stream, turn_id)).end
    names = {"conversationId": str(stream), "answerId": str(answer.id), "turnId": str(turn_id)}
    cursor = last if after is None else after
    is_lost = is_lost or not can_follow(cursor, place.first, last)
    more = {
        "messageId": str(turn.user.id),
        "title": page_session.title,
        "context": turn.user.meta.get(PAGE_CONTEXT, {}),
    }
    status = {**names, **more, "answer": answer, "calls": calls}

    async def again(at: int) -> Opening:
        return (await _turn_now(platform, who, turn_id, at, is_lost=True))[0]

    begin = Opening(
        org_id=who.org_id,
        stream_id=stream,
        names=names,
        after=cursor,
        last_seq=last,
        snapshot=Message(ANSWER, status, max(last, end or 0)),
        gap=gap_of(names, cursor, place.first, last) if is_lost else None,
        again=again,
    )
    return begin, end


async def pieces(
    turn: Turn, messages: AsyncIterator[Message | None]
) -> AsyncGenerator[Piece | None]:
    """Convert the messages of `follow` to agent events, up to the last; None for a quiet period."""
    answer_id, is_lost = turn.begin.names["answerId"], False
    skipped = (turn.cursor.seq or 0, turn.cursor.part) if turn.cursor else (0, 0)
    async for message in messages:
        if message is None:
            yield None
            continue
        if message.type == GAP:
            is_lost = True
            continue
        if message.type == ACCESS_ENDED:
            data = message.data
            trouble = Trouble(message=data.get("detail", data["title"]), problem=data["type"])
            yield Piece(trouble.shown(), "")
            return
        assert message.seq is not None  # all others have a place
        if message.type == ANSWER:
            first = (Gap if is_lost else Conversation).model_validate(message.data, extra="ignore")
            events = of_answer(message.data["answer"], message.data["calls"], first)
            is_lost, before, start = False, Cursor(turn.turn_id, None), 0
        else:
            events = of_event(message.type, message.data, answer_id)
            before = Cursor(turn.turn_id, message.seq - 1)
            # Nobody was told more than there is: an id that is made up leaves no end out.
            was_told = skipped[0] == message.seq - 1 and skipped[1] < len(events)
            start = skipped[1] if was_told else 0
        for number, event in enumerate(events[start:], start=start + 1):
            if number == len(events):
                place = Cursor(turn.turn_id, message.seq)
            else:
                place = replace(before, part=number) if before.seq is not None else before
            yield Piece(event.shown(), str(place))
            if isinstance(event, Done):
                return
