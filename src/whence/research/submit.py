"""Asking for research: the version and the lane that do it, and what runs beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence.lanes import LaneName
from whence.kernel.errors import Conflict, Invalid, WhenceError
from whence.records.kind import SubjectKind
from whence.research import runs
from whence.research.runs import WantedRun
from whence.research.versions import Work
from whence.tenancy.principal import Principal
from whence.work.queue import JobQueue, Priority
from whence.work.submission import Submission


class AskedInShadow(WhenceError):
    """This version asked a person, and a shadow run asks nobody; ask only where the run is
    interactive (`run.is_interactive`).
    """


async def ask(
    session: AsyncSession,
    queue: JobQueue,
    who: Principal,
    kind: SubjectKind,
    work: Work,
    subject_id: UUID,
    *,
    priority: Priority = Priority.NORMAL,
    options: Mapping[str, Any] | None = None,
    wanted: WantedRun | None = None,
) -> Submission:
    """Queue the work, and a shadow of it where there is one; raises as `runs.request`.

    A shadow is of low priority and asks nobody.  Where the work is already under way, or a shadow
    of an earlier request is, none is added.
    """
    given = dict(options or {})
    alone = {name: value for name, value in given.items() if name != "interactive"}

    async def request(work: Work, priority: Priority) -> Submission:
        return await runs.request(
            session,
            queue,
            who,
            kind,
            work.flow,
            subject_id,
            priority=priority,
            options=alone if work.lane is LaneName.SHADOW else given,
            lane=work.lane,
            wanted=wanted,
        )

    submitted = await request(work, priority)
    if submitted.created and work.beside:
        # A version that does not offer the type of run is not compared with.
        with contextlib.suppress(Conflict, Invalid):
            await request(Work(work.beside, LaneName.SHADOW), Priority.LOW)
    return submitted
