"""A conversation's events for one client, with its first message.  The stream has no end."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from whence.app.platform import Platform
from whence.chat.transcript import sessions
from whence.chat.turns.snapshot import snapshot
from whence.events import log
from whence.tenancy.principal import Principal
from whence.transports.routes.streams.event_stream import Message, Opening, can_follow, gap_of

SNAPSHOT = "chat_status"


async def opening(
    platform: Platform, who: Principal, session_id: UUID, after: int | None, *, skip: bool = False
) -> Opening:
    """Find one's own conversation; without `after`, from now on.  `skip`: start with a gap.

    Raises NotFound, also for somebody else's conversation.
    """
    async with platform.unit(who) as session:
        # The cursor first: a snapshot newer than it repeats events, an older one would lose some.
        last = await log.last_seq(session, session_id)
        conversation = await sessions.get(session, who, session_id)
        first = await log.first_seq(session, session_id)
        status = await snapshot(session, platform.kinds, conversation, last)
    names = {"sessionId": str(session_id)}
    cursor = last if after is None else after
    is_lost = skip or not can_follow(cursor, first, last)
    return Opening(
        org_id=who.org_id,
        stream_id=session_id,
        names=names,
        after=cursor,
        last_seq=last,
        snapshot=Message(SNAPSHOT, status | {**names, "lastSeq": last}, last),
        gap=gap_of(names, cursor, first, last) if is_lost else None,
        again=partial(opening, platform, who, session_id, skip=True),
    )


async def still_there(platform: Platform, who: Principal, session_id: UUID) -> None:
    """Raise NotFound once the conversation was deleted, by its owner or with its record."""
    async with platform.unit(who) as session:
        await sessions.get(session, who, session_id)
