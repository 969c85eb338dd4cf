"""Request research in the right version and lane, with its shadow run."""

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
    """This version asked a person, but a shadow run cannot ask; ask only if the run is interactive
    (`run.is_interactive`).
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
    """Queue a run and, if the rollout has one, its shadow; raises what `runs.request` raises.

    A shadow has low priority and asks nobody.  If the run, or a shadow of an earlier request, is
    already active, no shadow is added.
    """
    run_options = dict(options or {})
    shadow_options = {name: value for name, value in run_options.items() if name != "interactive"}

    async def request(work: Work, priority: Priority) -> Submission:
        return await runs.request(
            session,
            queue,
            who,
            kind,
            work.flow,
            subject_id,
            priority=priority,
            options=shadow_options if work.lane is LaneName.SHADOW else run_options,
            lane=work.lane,
            wanted=wanted,
        )

    submitted = await request(work, priority)
    if submitted.created and work.beside:
        # No shadow by a version that does not offer the run type.
        with contextlib.suppress(Conflict, Invalid):
            await request(Work(work.beside, LaneName.SHADOW), Priority.LOW)
    return submitted
