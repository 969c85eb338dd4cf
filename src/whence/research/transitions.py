"""How an attempt at research ends, in addition to `work.transitions`: with a dossier or a question.

Each is one fenced transaction, as in `work.transitions`.
"""

from __future__ import annotations

from sqlalchemy import case, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.events import log
from whence.events.types import JobComplete, JobNotice, JobPaused
from whence.evidence import dossiers
from whence.evidence.lanes import Fallback
from whence.kernel import metrics
from whence.records.kind import SubjectKind
from whence.research import questions
from whence.research.attempt import Attempt
from whence.research.questions import Question
from whence.research.tables import Run
from whence.work import transitions
from whence.work.ledger import UNPRICED
from whence.work.tables import WorkItem

ASKED = "Research waits for your answer"
RECORD_CHANGED = "The record changed during this research; run it again to take that into account."

NOT_CURRENT = "This research is incomplete; the earlier, complete dossier stays the current one."


async def succeed(attempt: Attempt, kind: SubjectKind, notice: str | None = None) -> None:
    """The flow has ended: write the run's final state and its event in one transaction.

    Notices for its readers are stored with the run and its dossier: `notice`, a record that changed
    during the run, a model of unknown price.
    """
    async with attempt.fenced() as session:
        changed, unpriced, gave_way = await _changes_during_run(session, attempt, kind)
        notices = [words for words in (notice, gave_way) if words]
        notices += [RECORD_CHANGED] if changed else []
        notices += [UNPRICED] if unpriced else []
        dossier = await dossiers.of_run(session, attempt.run_id)
        notices += (
            [NOT_CURRENT] if dossier and dossier.is_partial and not dossier.is_current else []
        )
        await dossiers.note(session, attempt.run_id, notices, record_changed=changed)
        complete = JobComplete(
            status="success",
            dossier_id=dossier.id if dossier else None,
            partial=bool(dossier and dossier.is_partial),
            summary=dossier.summary if dossier else None,
        )
        await session.execute(
            update(Run)
            .where(Run.id == attempt.run_id)
            .values(
                current_node=None,
                record_changed=changed,
                # 100 if the flow declares its progress.
                progress=case((Run.progress.is_not(None), 100)),
            )
        )
        # If the budget ended the flow, the parallel nodes were cancelled too.
        result = complete.model_dump(mode="json", by_alias=True, exclude={"error"})
        words = " ".join(notices) or None
        await transitions.finish(session, attempt, complete, result=result, notice=words)
    metrics.attempt_ended("success")


async def _changes_during_run(
    session: AsyncSession, attempt: Attempt, kind: SubjectKind
) -> tuple[bool, bool, str | None]:
    """Whether the record has changed or is gone, whether a model's price was unknown, and a notice
    if a candidate version failed.
    """
    query = select(Run.subject_version, Run.unpriced, Run.fallback)
    query = query.where(Run.id == attempt.run_id)
    began_with, unpriced, fallback = (await session.execute(query)).one()
    version = await session.scalar(
        select(kind.row.version).where(kind.row.id == attempt.subject_id)
    )
    gave_way = Fallback.model_validate(fallback).notice if fallback else None
    return began_with is not None and version != began_with, unpriced, gave_way


async def ask(attempt: Attempt, question: Question) -> None:
    """Pause the run for a person, without a worker or a resume time; the answer queues the next
    attempt."""
    async with attempt.fenced() as session:
        shown = questions.shown(question)
        await session.execute(
            update(WorkItem)
            .where(WorkItem.id == attempt.run_id)
            .values(status="paused", resume_at=None, notice=ASKED)
        )
        await session.execute(update(Run).where(Run.id == attempt.run_id).values(question=shown))
        await attempt.close(session, ASKED)
        paused = JobPaused(notice=ASKED, resume_at=None, question=shown)
        await log.append(session, attempt.run_id, paused)
    metrics.attempt_ended("asked")


async def not_resumable(attempt: Attempt) -> None:
    """Report that checkpoints can no longer be written: after a crash this run starts over."""
    notice = "Progress can no longer be saved; if the worker stops, this run starts over."
    async with attempt.fenced() as session:
        await session.execute(update(Run).where(Run.id == attempt.run_id).values(resumable=False))
        await session.execute(
            update(WorkItem).where(WorkItem.id == attempt.run_id).values(notice=notice)
        )
        await log.append(session, attempt.run_id, JobNotice(notice=notice))
