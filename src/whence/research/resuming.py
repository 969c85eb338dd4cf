"""Where an attempt begins: after the last finished node, or anew where that is not possible."""

from __future__ import annotations

from sqlalchemy import exists, select, text

from whence.events import log
from whence.events.types import JobNotice
from whence.research.attempt import Attempt
from whence.research.checkpoints import FencedSaver, UnreadableCheckpoint
from whence.research.compatibility import incompatibility
from whence.research.flow import Flow
from whence.research.tables import Run, RunStep

NOT_KEPT = "its saved progress is no longer kept"
_EMPTY_BUNDLE = text("""
    DELETE FROM whence.bundle_items WHERE run_id = :run
    AND NOT EXISTS (SELECT FROM whence.dossiers WHERE run_id = :run)
    AND NOT EXISTS (SELECT FROM whence.sections WHERE run_id = :run)
""")
"""A version that starts anew judges by itself; a dossier that is there keeps what it cites."""


async def can_resume(attempt: Attempt, flow: Flow, saver: FencedSaver) -> bool:
    """Whether there is a checkpoint to go on from.  One that cannot be used is removed, and the run
    says why it starts anew.  Raises StaleAttempt.
    """
    changed = flow.version != attempt.flow_version
    reason: str | None = None
    found = None
    try:
        found = await saver.saved()
    except UnreadableCheckpoint as error:
        reason = error.message
    if saver.is_lost:
        return False
    if not attempt.resumable:
        # Why, was said when its checkpoints were lost or when a candidate gave way.
        await _start_anew(attempt, flow, saver, None)
        return False
    if found and changed:
        reason = incompatibility(flow, attempt.flow_version, found)
    if found is None and reason is None and await _has_worked(attempt):
        reason = NOT_KEPT
    if reason is not None:
        await _start_anew(attempt, flow, saver, reason)
        return False
    if changed:
        notice = f"The research flow is now version {flow.version}; this run goes on with it."
        await _write(attempt, flow, notice if found else None)
    return found is not None


async def _start_anew(attempt: Attempt, flow: Flow, saver: FencedSaver, reason: str | None) -> None:
    # Removed first: a worker that dies in between must leave nothing that its successor takes up.
    await saver.forget()
    notice = f"This run starts anew: {reason}."
    if flow.version != attempt.flow_version:
        notice = (
            f"The research flow is now version {flow.version}; "
            f"this run starts anew with it: {reason}."
        )
    await _write(attempt, flow, notice if reason else None, anew=True, resumable=not saver.is_lost)


async def _write(
    attempt: Attempt, flow: Flow, notice: str | None, *, anew: bool = False, resumable: bool = True
) -> None:
    async with attempt.fenced() as session:
        run = (await session.scalars(select(Run).where(Run.id == attempt.run_id))).one()
        run.flow_version, run.resumable = flow.version, resumable
        if anew:
            # Another version's places say nothing about the progress of this one.
            run.depth = run.depth if flow.version == attempt.flow_version else 0
            await session.execute(_EMPTY_BUNDLE, {"run": attempt.run_id})
        if notice:
            run.notice = notice
            await log.append(session, attempt.run_id, JobNotice(notice=notice))


async def _has_worked(attempt: Attempt) -> bool:
    if attempt.number == 1:
        return False
    async with attempt.unit() as session:
        begun = exists().where(RunStep.run_id == attempt.run_id)
        return bool(await session.scalar(select(begun)))
