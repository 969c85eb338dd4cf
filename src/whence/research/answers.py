"""Answer a run's question: the answer is stored once, and the run continues."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.records.audit import audit
from whence.research import questions, runs
from whence.research.questions import Answer, Question
from whence.research.tables import Run
from whence.tenancy.principal import Principal, Scope
from whence.work.queue import JobQueue


async def answer(
    session: AsyncSession,
    queue: JobQueue,
    who: Principal,
    run_id: UUID,
    value: object,
    key: str | None = None,
) -> Run:
    """Answer the question `key` of a run (None: its open question) and let the run continue.

    Repeating the same answer changes nothing.  Raises Invalid for an answer that does not fit the
    question, and Conflict if no question is open or another answer was stored before.
    """
    who.require(Scope.WRITE)
    run = await runs.get(session, run_id)
    await session.refresh(run, with_for_update=True)
    question = Question.model_validate(run.question) if run.question else None
    if question is None or key not in (None, question.key):
        _is_repeated(run, value, key)
        return run
    accepted = questions.accepted(question, value)
    run.answers = questions.answered(run.answers, question, accepted, who.user_id, now())
    await runs.continue_run(session, queue, who, run)
    detail = {"run": str(run_id), "key": question.key, "answer": accepted}
    await audit(session, who, "answer_research", run.kind, run.subject_id, detail)
    return run


def _is_repeated(run: Run, value: object, key: str | None) -> None:
    """Raise Conflict unless the same answer was stored before."""
    answers: dict[str, Any] = run.answers
    key = key or max(answers, key=lambda each: answers[each]["at"], default=None)
    if key not in answers:
        asks = "asks nothing" if run.question is None else "asks another question"
        raise Conflict(f"This run is {run.status} and {asks}.")
    before: Answer = answers[key]["answer"]
    answer = value.strip() if isinstance(value, str) else value
    if answer != before or isinstance(answer, bool):
        words = "I don't know" if before is None else before
        raise Conflict(f"'{key}' was already answered with '{words}'; an answer cannot be changed.")
