"""kill -9 in one branch of a fork: its finished siblings are not done again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from faults import forked
from faults.conftest import Bench

pytestmark = pytest.mark.anyio


async def test_only_the_branch_under_way_runs_again(bench: Bench, start: Any) -> None:
    run_id = await bench.ask()
    doomed = start(flow="forked")
    await doomed.gone(60)
    async with bench.working(forked.forked()):
        await bench.until(run_id)
    assert bench.rows.faults(run_id) == []
    assert bench.rows.run(run_id)["attempt"] == 2
    steps = bench.rows.all("SELECT * FROM whence.run_steps WHERE run_id = %s", run_id)
    assert Counter(step["branch"] for step in steps if step["branch"]) == {
        "a": 1,
        "b": 1,
        "c": 1,
        "d": 2,
    }
    assert [s["branch"] for s in steps if s["status"] == "interrupted"] == ["d"]
    [dossier] = bench.rows.all("SELECT body FROM whence.dossiers WHERE run_id = %s", run_id)
    assert dossier["body"] == {"parts": 4}
