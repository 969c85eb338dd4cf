"""Research that a change of a record starts, for the fields that its kind names (`follow_ups`).

Where other research of the record is active, a job tries again until the change is covered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from procrastinate.types import JSONValue
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.turns.research_updates import begin_following
from whence.db.database import Database
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, NotFound, NotReady
from whence.kernel.log import get
from whence.records.kind import SubjectKind
from whence.research import runs
from whence.research.earlier import NothingToBuildOn
from whence.research.research_records import Ask
from whence.research.run_type import OtherResearchUnderWay
from whence.research.runs import WantedRun
from whence.tenancy.principal import Principal, Scope
from whence.tenancy.system import current_rights
from whence.work.queue import JobQueue

FOLLOW_UP_JOB = "research.follow_up"
FIRST_WAIT_SECONDS = 2
LONGEST_WAIT_SECONDS = 60
"""Longest time between the end of the other research and the start of the follow-up."""
_log = get("research.follow_up")


@dataclass(frozen=True)
class FollowUps:
    """Starts that research in the transaction that changes the record, or once it can start."""

    ask: Ask
    queue: JobQueue
    db: Database
    kinds: Mapping[str, SubjectKind]

    async def __call__(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        record_id: UUID,
        fields: Collection[str],
        chat_session_id: UUID | None = None,
    ) -> None:
        """Request the run for these fields; the conversation, if any, is told its outcome.

        Nothing starts for a record without complete research.
        """
        for run_type in sorted({run for field, run in kind.follow_ups if field in fields}):
            wanted = _Wanted(who, kind, record_id, run_type, now(), chat_session_id)
            if not await self._is_covered(session, wanted):
                await self._enqueue(session, wanted, FIRST_WAIT_SECONDS)

    async def attempt(
        self,
        org_id: str,
        user_id: str,
        scopes: list[str],
        kind: str,
        record_id: str,
        run_type: str,
        changed_at: str,
        chat_session_id: str | None,
        wait: int,
    ) -> None:
        """The queue's handler: request the run, or wait longer while other research is active."""
        async with self.db.unit(UUID(org_id)) as session:
            rights = await current_rights(session, UUID(user_id))
            if rights is None or kind not in self.kinds:
                _log.warning("follow_up_given_up", kind=kind, record=record_id, type=run_type)
                return
            role, allowed = rights
            granted = allowed & {Scope(each) for each in scopes}
            wanted = _Wanted(
                Principal(UUID(org_id), UUID(user_id), role, granted),
                self.kinds[kind],
                UUID(record_id),
                run_type,
                datetime.fromisoformat(changed_at),
                UUID(chat_session_id) if chat_session_id else None,
            )
            if not await self._is_covered(session, wanted):
                await self._enqueue(session, wanted, min(2 * wait, LONGEST_WAIT_SECONDS))

    async def _is_covered(self, session: AsyncSession, wanted: _Wanted) -> bool:
        """Whether the run was requested, one from after the change is active, or none is needed."""
        try:
            submission = await self.ask(
                session,
                wanted.who,
                wanted.kind,
                wanted.record_id,
                wanted=WantedRun(wanted.run_type),
            )
        except OtherResearchUnderWay:
            return False
        except (NothingToBuildOn, NotReady, NotFound, Forbidden):
            return True
        if not submission.created:
            run = await runs.get(session, submission.id)
            if run.created_at < wanted.changed_at and run.status != "pending":
                return False  # it may have read the record before the change
        if wanted.chat_session_id is not None:
            await begin_following(
                session,
                wanted.who,
                wanted.chat_session_id,
                submission.id,
                is_new=submission.created,
            )
        return True

    async def _enqueue(self, session: AsyncSession, wanted: _Wanted, wait: int) -> None:
        chat = wanted.chat_session_id
        arguments: dict[str, JSONValue] = {
            "org_id": str(wanted.who.org_id),
            "user_id": str(wanted.who.user_id),
            "scopes": [*sorted(scope.value for scope in wanted.who.scopes)],
            "kind": wanted.kind.kind,
            "record_id": str(wanted.record_id),
            "run_type": wanted.run_type,
            "changed_at": wanted.changed_at.isoformat(),
            "chat_session_id": str(chat) if chat else None,
            "wait": wait,
        }
        at = now() + timedelta(seconds=wait)
        await self.queue.enqueue(session, FOLLOW_UP_JOB, arguments, at=at)


@dataclass(frozen=True)
class _Wanted:
    """The research that a change of a record asks for."""

    who: Principal
    kind: SubjectKind
    record_id: UUID
    run_type: str
    changed_at: datetime
    chat_session_id: UUID | None
