"""Reports the progress of research to the conversation that requested it, and its outcome once.

A row, written with the request, stores what has been reported.  The reporting process locks that
row, so that nothing is reported twice and nothing is lost when a process dies.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from whence.chat.transcript import messages
from whence.chat.transcript.event_types import ResearchProgress
from whence.chat.transcript.events import announce
from whence.chat.transcript.tables import ChatSession
from whence.chat.turns.outcome import outcome_of
from whence.db.database import Database
from whence.db.tables import TenantRow
from whence.events import log
from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.kernel.ids import new_id
from whence.records.kind import Kinds
from whence.research import runs
from whence.tenancy.principal import Principal

_NEW_EVENTS = text(
    "SELECT seq, type, payload, at "
    "FROM whence.read_events(whence.current_org(), :run, :told, :most)"
)
FINISHED = ("success", "error", "cancelled")
_STATUS_WORDS = {"success": "done", "error": "failed"}
"""The status of a finished node as `whence research` shows it."""


class Following(TenantRow):
    """A run that a conversation follows until its outcome."""

    __tablename__ = "chat_followings"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    session_id: Mapped[UUID]
    run_id: Mapped[UUID]
    user_id: Mapped[UUID]
    told_seq: Mapped[int] = mapped_column(default=0)
    """The last event of the run that the conversation has received."""
    created_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


async def begin_following(
    session: AsyncSession, who: Principal, session_id: UUID, run_id: UUID, *, is_new: bool
) -> None:
    """Let the conversation follow this run; in the transaction that submits it.

    If the run was already under way (not `is_new`), only events from now on are reported.
    """
    told_seq = 0 if is_new else await log.last_seq(session, run_id)
    row = {
        "id": new_id(),
        "session_id": session_id,
        "run_id": run_id,
        "user_id": who.user_id,
        "told_seq": told_seq,
        "created_at": now(),
    }
    await session.execute(insert(Following).values(row).on_conflict_do_nothing())


async def report_progress(db: Database, kinds: Kinds, org_id: UUID, following_id: UUID) -> bool:
    """Report new events of the run to the conversation; return whether this was the last report."""
    async with db.unit(org_id) as session:
        query = select(Following).where(Following.id == following_id).with_for_update()
        row = (await session.scalars(query)).one_or_none()
        if row is None or row.done_at is not None:
            return True
        # Lock the conversation before its stream, as turns do, so that there is no deadlock.
        if not await _lock_session(session, row.session_id):
            row.done_at = now()
            return True
        # Read the state before the events: later events are reported next time.
        try:
            run = await runs.get(session, row.run_id)
        except NotFound:
            row.done_at = now()
            return True
        while events := await _new_events(session, row):
            for event in events:
                if progress := progress_of(row.run_id, event):
                    await log.append(session, row.session_id, progress)
            row.told_seq = events[-1].seq
        if run.status not in FINISHED:
            return False
        row.done_at = now()
        outcome = await outcome_of(session, kinds, run)
        notice = await messages.post_notice(session, row.session_id, f"research:{run.id}", outcome)
        if notice is not None:
            await announce(session, notice)
        return True


def progress_of(run_id: UUID, event: log.Event) -> ResearchProgress | None:
    """A run's event as a message for the conversation; None for events of no interest to people."""
    node = event.payload.get("node")
    match event.type:
        case "job_started":
            words = (
                "Research continues." if event.payload.get("resumed") else "Research has started."
            )
        case "node_started":
            words = f"{_node_title(node)} …"
        case "node_complete":
            status = str(event.payload.get("status"))
            outcome = event.payload.get("error") or _STATUS_WORDS.get(status, status)
            words = f"{_node_title(node)}: {outcome}"
        case "progress":
            words = str(event.payload.get("message"))
        case "job_paused" | "job_notice":
            words = str(event.payload.get("notice"))
        case _:
            return None
    return ResearchProgress(job_id=run_id, status=event.type, node=node, message=words)


async def _lock_session(session: AsyncSession, session_id: UUID) -> bool:
    """Lock the conversation until the end of the transaction; return whether it still exists."""
    query = select(ChatSession.id).where(
        ChatSession.id == session_id, ChatSession.deleted_at.is_(None)
    )
    return (await session.scalars(query.with_for_update())).one_or_none() is not None


async def _new_events(session: AsyncSession, row: Following) -> list[log.Event]:
    """The next unreported events, on this connection: a lock holder must not wait for another."""
    values = {"run": row.run_id, "told": row.told_seq, "most": log.BATCH}
    return [log.Event(*each) for each in await session.execute(_NEW_EVENTS, values)]


def _node_title(node: object) -> str:
    return str(node).replace("_", " ").capitalize()
