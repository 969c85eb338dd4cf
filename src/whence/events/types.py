"""The events of a run, as a tagged union: the `type` on the wire and its payload.

`docs/reference/events.md` documents each of them; a test compares the two.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

from whence.events.base import StreamEvent


class RunEvent(StreamEvent):
    """The base of run events."""

    type: ClassVar[str]


class JobQueued(RunEvent):
    """The run waits for a worker."""

    type: ClassVar[str] = "job_queued"
    priority: str


class JobStarted(RunEvent):
    """A worker has claimed the run; an `attempt` above 1 continues after the last finished node."""

    type: ClassVar[str] = "job_started"
    attempt: int
    resumed: bool


class NodeStarted(RunEvent):
    """A node starts; `step` counts the run's steps from 1."""

    type: ClassVar[str] = "node_started"
    node: str
    step: int
    attempt: int
    branch: str | None = None


class Progress(RunEvent):
    """What a node is doing, in words."""

    type: ClassVar[str] = "progress"
    node: str
    message: str
    branch: str | None = None


class JobProgress(RunEvent):
    """The progress of a pack's job: `done` of `total`, if the total is known."""

    type: ClassVar[str] = "job_progress"
    done: int
    total: int | None = None
    message: str | None = None


class NodeComplete(RunEvent):
    """A node has ended; `error` gives the reason if the status is not `success` or `skipped`."""

    type: ClassVar[str] = "node_complete"
    node: str
    step: int
    status: Literal["success", "error", "paused", "interrupted", "skipped"]
    duration_ms: float
    timestamp: datetime
    error: str | None = None
    branch: str | None = None
    progress: int | None = None
    """The progress of the run in per cent, if its flow declares it."""


class JobPaused(RunEvent):
    """The run waits for a time, or for a person's answer to `question`."""

    type: ClassVar[str] = "job_paused"
    notice: str
    resume_at: datetime | None
    question: dict[str, Any] | None = None


class JobNotice(RunEvent):
    """A message for the user, for example that a run can no longer be resumed."""

    type: ClassVar[str] = "job_notice"
    notice: str


class JobComplete(RunEvent):
    """The run has its final status; nothing follows."""

    type: ClassVar[str] = "job_complete"
    status: Literal["success", "error", "cancelled"]
    dossier_id: UUID | None = None
    partial: bool = False
    summary: str | None = None
    error: dict[str, Any] | None = None


RUN_EVENTS: tuple[type[RunEvent], ...] = (
    JobQueued,
    JobStarted,
    NodeStarted,
    Progress,
    JobProgress,
    NodeComplete,
    JobPaused,
    JobNotice,
    JobComplete,
)
