"""Research that was asked for in a conversation: its progress goes there, and its outcome once.

What is to be told stands in a row, written with the request.  Whichever process tells it holds that
row meanwhile, so that nothing is told twice, and nothing is lost where a process dies.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from whence.chat.transcript import messages
from whence.chat.transcript.events import announce
from whence.chat.transcript.tables import ChatSession
from whence.chat.turns.outcome import outcome_of
from whence.db.database import Database
from whence.db.tables import TenantRow
from whence.events import log
from whence.events.chat import ResearchProgress
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.kernel.ids import new_id
from whence.records.kind import Kinds
from whence.research import runs
from whence.tenancy.principal import Principal

_NEWS = text(
    "SELECT seq, type, payload, at "
    "FROM whence.read_events(whence.current_org(), :run, :told, :most)"
)
FINISHED = ("success", "error", "cancelled")
_SAID = {"success": "done", "error": "failed"}
"""A node's end in the words that `whence research` shows."""


class Following(TenantRow):
    """A run whose outcome a conversation waits for."""

    __tablename__ = "chat_followings"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    session_id: Mapped[UUID]
    run_id: Mapped[UUID]
    user_id: Mapped[UUID]
    told_seq: Mapped[int] = mapped_column(default=0)
    """The last event of the run that the conversation was told of."""
    created_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


async def begin_following(
    session: AsyncSession, who: Principal, session_id: UUID, run_id: UUID, *, is_new: bool
) -> None:
    """Let the conversation be told of this run; in the transaction that asks for it.

    Of a run that was under way already (not `is_new`) only what comes now is told.
    """
    told = 0 if is_new else await log.last_seq(session, run_id)
    row = {
        "id": new_id(),
        "session_id": session_id,
        "run_id": run_id,
        "user_id": who.user_id,
        "told_seq": told,
        "created_at": now(),
    }
    await session.execute(insert(Following).values(row).on_conflict_do_nothing())


async def tell(db: Database, kinds: Kinds, org_id: UUID, following_id: UUID) -> bool:
    """Tell the conversation what is new of the run; whether there is nothing more to tell."""
    async with db.unit(org_id) as session:
        query = select(Following).where(Following.id == following_id).with_for_update()
        row = (await session.scalars(query)).one_or_none()
        if row is None or row.done_at is not None:
            return True
        # The conversation before its stream, as every turn does: two that meet then wait in line.
        if not await _hold(session, row.session_id):
            row.done_at = now()
            return True
        # The state before the events: those that came after it are told next time.
        try:
            run = await runs.get(session, row.run_id)
        except NotFound:
            row.done_at = now()
            return True
        while news := await _news(session, row):
            for event in news:
                if told := progress_of(row.run_id, event):
                    await log.append(session, row.session_id, told)
            row.told_seq = news[-1].seq
        if run.status not in FINISHED:
            return False
        row.done_at = now()
        outcome = await outcome_of(session, kinds, run)
        notice = await messages.post_notice(session, row.session_id, f"research:{run.id}", outcome)
        if notice is not None:
            await announce(session, notice)
        return True


def progress_of(run_id: UUID, event: log.Event) -> ResearchProgress | None:
    """A run's event in words for a conversation; None for those that say nothing to a person."""
    node = event.payload.get("node")
    match event.type:
        case "job_started":
            words = "Research goes on." if event.payload.get("resumed") else "Research has begun."
        case "node_started":
            words = f"{_spoken(node)} …"
        case "node_complete":
            status = str(event.payload.get("status"))
            words = f"{_spoken(node)}: {event.payload.get('error') or _SAID.get(status, status)}"
        case "progress":
            words = str(event.payload.get("message"))
        case "job_paused" | "job_notice":
            words = str(event.payload.get("notice"))
        case _:
            return None
    return ResearchProgress(job_id=run_id, status=event.type, node=node, message=words)


async def _hold(session: AsyncSession, session_id: UUID) -> bool:
    """Let the conversation stay as it is until the transaction ends; whether it still is there."""
    kept = select(ChatSession.id).where(
        ChatSession.id == session_id, ChatSession.deleted_at.is_(None)
    )
    return (await session.scalars(kept.with_for_update())).one_or_none() is not None


async def _news(session: AsyncSession, row: Following) -> list[log.Event]:
    """Events of the run that were not told, some of them; who holds rows asks for no connection."""
    values = {"run": row.run_id, "told": row.told_seq, "most": log.BATCH}
    return [log.Event(*each) for each in await session.execute(_NEWS, values)]


def _spoken(node: object) -> str:
    return str(node).replace("_", " ").capitalize()
