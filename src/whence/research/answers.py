"""A person answers a run's question: the answer is kept once, and the run continues."""

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
    given: object,
    key: str | None = None,
) -> Run:
    """Answer the question `key` of a run, or the one that it asks now, and let it continue.

    The same answer again changes nothing.  Raises Invalid for an answer that the question does not
    take, and Conflict where nothing is asked or something else was answered before.
    """
    who.require(Scope.WRITE)
    run = await runs.get(session, run_id)
    await session.refresh(run, with_for_update=True)
    question = Question.model_validate(run.question) if run.question else None
    if question is None or key not in (None, question.key):
        _is_repeated(run, given, key)
        return run
    accepted = questions.accepted(question, given)
    run.answers = questions.answered(run.answers, question, accepted, who.user_id, now())
    await runs.go_on(session, queue, who, run)
    detail = {"run": str(run_id), "key": question.key, "answer": accepted}
    await audit(session, who, "answer_research", run.kind, run.subject_id, detail)
    return run


def _is_repeated(run: Run, given: object, key: str | None) -> None:
    """Raise Conflict unless this was answered before, and so."""
    answers: dict[str, Any] = run.answers
    key = key or max(answers, key=lambda each: answers[each]["at"], default=None)
    if key not in answers:
        asks = "asks nothing" if run.question is None else "asks something else"
        raise Conflict(f"This run is {run.status} and {asks} now.")
    before: Answer = answers[key]["answer"]
    answer = given.strip() if isinstance(given, str) else given
    if answer != before or isinstance(answer, bool):
        words = "I don't know" if before is None else before
        raise Conflict(f"'{key}' was answered before with '{words}'; an answer is not changed.")
