"""A context variable with the transaction that a run has open."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import WhenceError


class NestedFence(WhenceError):
    """A run's transaction was opened inside another one of the same run; use the open one."""


@dataclass
class Held:
    """A run's transaction, and the task that opened it."""

    run_id: UUID
    task: asyncio.Task[Any] | None
    session: AsyncSession | None = None
    is_open: bool = True
    """False once the transaction is over: tasks started inside it inherit this object and may
    outlive it."""


_held: ContextVar[Held | None] = ContextVar("held_fence", default=None)


def check_not_nested(run_id: UUID) -> None:
    """Raises NestedFence inside an open transaction of this run."""
    if (held := _held.get()) and held.is_open and held.run_id == run_id:
        raise NestedFence


@contextmanager
def holding(run_id: UUID) -> Generator[Held]:
    """Mark the code inside as part of this run's transaction; raises NestedFence."""
    check_not_nested(run_id)
    outer, held = _held.get(), Held(run_id, asyncio.current_task())
    _held.set(held)
    try:
        yield held
    finally:
        held.is_open = False
        _held.set(outer)


def held_session(run_id: UUID) -> AsyncSession | None:
    """The open transaction of this run if the current task opened it, otherwise None."""
    held = _held.get()
    if held is None or not held.is_open or held.run_id != run_id:
        return None
    return held.session if held.task is asyncio.current_task() else None
