"""One attempt at a run of research: what the run asks for, beside what every attempt has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.evidence.lanes import LaneName
from whence.research.run_steps import interrupt_steps
from whence.research.run_type import DEFAULT_NAME
from whence.work.attempt import Attempt as WorkAttempt


@dataclass(frozen=True, kw_only=True)
class Attempt(WorkAttempt):
    """A run, claimed by this worker under the fencing token `number`."""

    paused_notice: ClassVar[str] = "Research paused, will resume automatically"

    kind: str
    subject_id: UUID
    flow: str
    flow_version: str
    lane: str
    options: dict[str, Any]
    resumable: bool
    """False after a checkpoint was lost: then the run starts from its first node again."""
    run_type: str = DEFAULT_NAME
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    answers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What people answered to the run's questions, by the question's key."""

    @property
    def run_id(self) -> UUID:
        """The run's id, which is that of its unit of work."""
        return self.work_id

    @property
    def is_shadow(self) -> bool:
        """Whether this is for comparison only: it may change nothing but its own findings."""
        return self.lane == LaneName.SHADOW

    async def close(self, session: AsyncSession, reason: str) -> None:
        """Close the steps that the attempt leaves open, and say why."""
        await interrupt_steps(session, self.run_id, reason)
