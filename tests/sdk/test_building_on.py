"""A type of run that builds on an earlier one, in the test kit."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from whence.sdk.research import NothingToBuildOn
from whence.sdk.testing import run_flow

pytestmark = pytest.mark.anyio


async def test_the_kit_runs_it_on_the_result_of_an_earlier_run(platform: Any) -> None:
    pack, flow = platform.pack_of("notes"), sys.modules["whence.packs.sample_pack.typed"].GLANCE
    record = platform.kind("notes").record
    with pytest.raises(NothingToBuildOn):
        await run_flow(pack, flow, record(title="A", text="one three"), run_type="reword")
    first = await run_flow(pack, flow, record(title="A", text="one three"))
    changed = record(title="A", text="many words stand here now")
    again = await run_flow(pack, flow, changed, run_type="reword", earlier=first)
    assert (again.dossier.body["words"], again.dossier.body["longest"]) == (5, "three")
