"""A kind of background work, as a pack or the core declares it."""

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
"""What a job may work, over all its attempts, where it declares nothing else."""


@dataclass(frozen=True)
class Job(Generic[P]):
    """Background work with a typed payload; `handle` may run again from the start after a crash.

    What the handler returns is kept as the job's result.  Raise Unavailable where waiting helps
    (the job pauses and continues by itself), another WhenceError where it does not (the job fails
    with its message); anything else counts as a crash and is tried again `attempts` times.
    """

    name: str
    title: str
    payload: type[P]
    handle: Callable[[P, JobContext], Awaitable[BaseModel | None]]
    attempts: int = 3
    """Attempts that may end with an unexpected error before any further progress is made."""
    time_limit_seconds: float = LONGEST_SECONDS
    check: Callable[[P, Services], None] | None = None
    """Raises Invalid for a payload that cannot work although its fields are right; called where
    somebody sets a schedule."""


AnyJob = Job[Any]
