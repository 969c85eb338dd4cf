"""Runs and their answers in the database; people only ever reach their own runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.errors import NotFound
from whence.tenancy.principal import Principal
from whence.wizards.path import Entry
from whence.wizards.status import RunStatus
from whence.wizards.tables import WizardAnswer, WizardRun

MAX_LISTED = 100
"""Open runs in a list; nobody has more half-filled forms."""


class NoSuchRun(NotFound):
    """There is no such run of a wizard, or it is not yours."""


async def get(
    session: AsyncSession,
    who: Principal,
    run_id: UUID,
    *,
    definition: str | None = None,
    to_change: bool = False,
) -> WizardRun:
    """This person's run (of that wizard); `to_change` locks it until the transaction ends.

    Raises NoSuchRun.
    """
    query = select(WizardRun).where(WizardRun.id == run_id, WizardRun.user_id == who.user_id)
    if to_change:
        query = query.with_for_update().execution_options(populate_existing=True)
    run = (await session.scalars(query)).one_or_none()
    if run is None or definition not in (None, run.definition):
        raise NoSuchRun
    return run


async def open_runs(
    session: AsyncSession,
    who: Principal,
    *,
    definition: str | None = None,
    chat_session_id: UUID | None = None,
) -> Sequence[WizardRun]:
    """This person's runs that have not ended or expired, newest first."""
    query = select(WizardRun).where(
        WizardRun.user_id == who.user_id,
        WizardRun.status == RunStatus.OPEN.value,
        WizardRun.expires_at > now(),
    )
    if definition is not None:
        query = query.where(WizardRun.definition == definition)
    if chat_session_id is not None:
        query = query.where(WizardRun.chat_session_id == chat_session_id)
    query = query.order_by(WizardRun.created_at.desc(), WizardRun.id.desc())
    return list(await session.scalars(query.limit(MAX_LISTED)))


async def runs_of_record(
    session: AsyncSession, who: Principal, definition: str, subject_id: UUID
) -> Sequence[WizardRun]:
    """This person's runs of that wizard about a record, or that wrote it: open or completed,
    newest first."""
    query = select(WizardRun).where(
        WizardRun.user_id == who.user_id,
        WizardRun.definition == definition,
        WizardRun.subject_id == subject_id,
        (WizardRun.status == RunStatus.COMPLETED.value)
        | (WizardRun.status == RunStatus.OPEN.value) & (WizardRun.expires_at > now()),
    )
    query = query.order_by(WizardRun.created_at.desc(), WizardRun.id.desc())
    return list(await session.scalars(query.limit(MAX_LISTED)))


async def newest_of_chat(
    session: AsyncSession, who: Principal, chat_session_id: UUID, definition: str | None = None
) -> WizardRun | None:
    """The run this person used last in that conversation, whatever its status."""
    query = select(WizardRun).where(
        WizardRun.user_id == who.user_id, WizardRun.chat_session_id == chat_session_id
    )
    if definition is not None:
        query = query.where(WizardRun.definition == definition)
    query = query.order_by(WizardRun.updated_at.desc(), WizardRun.id.desc()).limit(1)
    return (await session.scalars(query)).one_or_none()


async def erase_runs_of_records(
    session: AsyncSession, kind: str, subject_ids: Sequence[UUID]
) -> None:
    """Erase all runs about these records, or that wrote them, with their answers."""
    matches = WizardRun.kind == kind, WizardRun.subject_id.in_(subject_ids)
    await session.execute(delete(WizardRun).where(*matches))


async def erase_runs_of_conversation(session: AsyncSession, chat_session_id: UUID) -> None:
    """Erase the runs of a conversation with their answers; records they wrote stay."""
    statement = delete(WizardRun).where(WizardRun.chat_session_id == chat_session_id)
    await session.execute(statement)


async def insert_new(session: AsyncSession, values: Mapping[str, Any]) -> bool:
    """Insert a run; False if there is one with this id already."""
    query = insert(WizardRun).values(dict(values)).on_conflict_do_nothing().returning(WizardRun.id)
    return (await session.execute(query)).one_or_none() is not None


async def answers(session: AsyncSession, run: WizardRun) -> Sequence[WizardAnswer]:
    """The answers in order; a run without answers needs no query."""
    if run.revision == 0:
        return []
    query = select(WizardAnswer).where(WizardAnswer.run_id == run.id)
    return list(await session.scalars(query.order_by(WizardAnswer.revision)))


async def append(
    session: AsyncSession, run: WizardRun, step_id: str, responses: Mapping[str, Any]
) -> WizardAnswer:
    """Write the next answer of a locked run."""
    at = now()
    run.revision += 1
    run.updated_at = at
    row = WizardAnswer(
        org_id=run.org_id,
        run_id=run.id,
        revision=run.revision,
        step_id=step_id,
        responses=dict(responses),
        at=at,
    )
    session.add(row)
    await session.flush()
    return row


def history(rows: Sequence[WizardAnswer]) -> list[Entry]:
    """The answers as entries to replay."""
    return [Entry(row.step_id, row.responses) for row in rows]
