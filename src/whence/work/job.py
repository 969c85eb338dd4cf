"""A type of background work, declared by a pack or the core."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import BaseModel

from whence.kernel.services import Services

if TYPE_CHECKING:
    from whence.work.context import JobContext

P = TypeVar("P", bound=BaseModel)
LONGEST_SECONDS = 3600.0
"""Default limit of a job's working time, over all its attempts."""


@dataclass(frozen=True)
class Job(Generic[P]):
    """Background work with a typed payload; `handle` may run again from the start after a crash.

    The handler's return value is stored as the job's result.  Raise Unavailable if waiting helps
    (the job pauses and continues by itself), another WhenceError if it does not (the job fails with
    its message).  Any other exception counts as a crash; after `attempts` of them the job fails.
    """

    name: str
    title: str
    payload: type[P]
    handle: Callable[[P, JobContext], Awaitable[BaseModel | None]]
    attempts: int = 3
    """How many attempts may end with an unexpected error without progress in between."""
    time_limit_seconds: float = LONGEST_SECONDS
    check: Callable[[P, Services], None] | None = None
    """Raises Invalid for a payload that has valid fields but cannot work; called when a schedule is
    created or changed."""


AnyJob = Job[Any]
