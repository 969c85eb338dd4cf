"""The step that a dead worker left open is closed when its run is taken over."""

from __future__ import annotations

import signal
from typing import Any

import pytest

from whence.app.platform import Platform

pytestmark = pytest.mark.anyio
QUICK = {"WHENCE_HEARTBEAT_SECONDS": "0.5", "WHENCE_STALLED_SECONDS": "2"}


@pytest.mark.long
async def test_it_is_interrupted_and_the_time_until_then_is_not_charged(
    platform: Platform, bench: Any, start_worker: Any
) -> None:
    run_id = await bench.ask(platform.flow("notes", None))
    doomed = start_worker("notes", "read_note", "before", **QUICK)
    await doomed.stays()
    await doomed.end(signal.SIGKILL)
    await start_worker("notes", "read_note", "before", **QUICK).stays()
    assert [(s.node, s.attempt, s.status) for s in await bench.steps(run_id)] == [
        ("read_note", 1, "interrupted"),
        ("read_note", 2, "running"),
    ]
    assert (await bench.run(run_id)).spent_seconds == 0
