"""A record that needs no research in its state is researched only on purpose."""

from __future__ import annotations

from typing import Any

import pytest

from whence.kernel.errors import Settled
from whence.records import store

pytestmark = pytest.mark.anyio


async def test_a_note_that_is_done_is_researched_only_on_purpose(platform: Any) -> None:
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        record = kind.record(title="Done: a note", text="words")
        row = await store.create(session, owner, kind, record)
    async with platform.unit(owner) as session:
        with pytest.raises(Settled, match="Note not researched: it is done"):
            await platform.ask(session, owner, kind, row.id)
        submitted = await platform.ask(session, owner, kind, row.id, options={"anyway": True})
    assert submitted.created
