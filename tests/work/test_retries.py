"""When a job that failed is tried again."""

from __future__ import annotations

import psycopg
import pytest
from procrastinate.jobs import Job

from whence.kernel.clock import now
from whence.work import queue
from whence.work.queue import NeverLost


@pytest.mark.parametrize(
    ("error", "longest"),
    [
        (ValueError("broken"), queue.LONGEST_RETRY_SECONDS),
        (psycopg.OperationalError("the server is away"), queue.OUTAGE_RETRY_SECONDS),
    ],
)
def test_each_retry_of_a_job_waits_twice_as_long_up_to_a_limit(
    error: Exception, longest: float
) -> None:
    def wait(attempts: int) -> float:
        job = Job(id=1, queue="q", lock=None, queueing_lock=None, task_name="note",
                  attempts=attempts)  # fmt: skip
        decision = NeverLost().get_retry_decision(exception=error, job=job)
        assert decision is not None
        assert decision.retry_at is not None
        return (decision.retry_at - now()).total_seconds()

    waits = [wait(attempts) for attempts in range(20)]
    expected = [min(queue.FIRST_RETRY_SECONDS * 2**n, longest) for n in range(20)]
    assert waits == pytest.approx(expected, abs=0.5)
    assert expected[0] < expected[1]
