"""A run to which evidence and dossiers belong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest

from whence.kernel.ids import new_id

NewRun = Callable[..., UUID]


@pytest.fixture
def new_run(database_url: str, platform: Any) -> NewRun:
    """`new_run(subject_id, status="running")`: a run's row, as if a worker had it."""

    def make(subject_id: UUID | None = None, status: str = "success") -> UUID:
        run_id = new_id()
        with psycopg.connect(database_url) as connection:
            connection.execute(
                "INSERT INTO whence.work (org_id, id, type, queue, handler, status, priority,"
                " requested_by, created_at)"
                " VALUES (%s, %s, 'research', 'whence', 'research.attempt', %s, 0, %s, now())",
                (platform.owner.org_id, run_id, status, platform.owner.user_id),
            )
            connection.execute(
                "INSERT INTO whence.runs (org_id, id, kind, subject_id, flow, flow_version)"
                " VALUES (%s, %s, 'notes', %s, 'research', '1')",
                (platform.owner.org_id, run_id, subject_id or new_id()),
            )
        return run_id

    return make
