"""A flow that forks into four branches, of which the last takes its worker along, once.

It waits until the results of its siblings are saved; what they did must not be done again.
"""

from __future__ import annotations

import asyncio
import operator
import os
import signal
from typing import Annotated, Any, TypedDict
from uuid import UUID

from sqlalchemy import text

from whence.sdk.evidence import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.sdk.research import Flow, Fork, RunContext, Send

PARTS = "abcd"
_SAVED = text("""
    SELECT count(DISTINCT task_id) FROM checkpoints.checkpoint_writes
    WHERE thread_id = :run AND channel = 'read'
""")


class ForkedState(TypedDict, total=False):
    subject_id: str
    read: Annotated[list[str], operator.add]


async def begin(state: ForkedState, run: RunContext) -> ForkedState:
    return {}


def each_part(state: ForkedState) -> list[Send]:
    return [Send("read_part", {"part": part}, part) for part in PARTS]


async def read_part(state: Any, run: RunContext) -> ForkedState:
    """Keep one piece of evidence; the last part dies in the first attempt."""
    part = state["part"]
    if part == PARTS[-1] and run.attempt.number == 1:
        await _siblings_saved(run)
        os.kill(os.getpid(), signal.SIGKILL)
    [evidence_id] = await run.keep([Finding("part", f"{run.run_id}/{part}", part, part, {})])
    await run.judge([Judgement(evidence_id, "part", included=True, reason="a part")])
    return {"read": [str(evidence_id)]}


async def conclude(state: ForkedState, run: RunContext) -> ForkedState:
    cites = tuple(Cite(UUID(evidence_id)) for evidence_id in sorted(state["read"]))
    claim = ClaimDraft("parts", "read", len(cites), 1.0, "rules:count@1", cites)
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, "read", {"parts": len(cites)}, (claim,)))
    return {}


async def _siblings_saved(run: RunContext) -> None:
    while True:
        async with run.unit() as session:
            saved = await session.scalar(_SAVED, {"run": str(run.run_id)})
        if saved == len(PARTS) - 1:
            return
        await asyncio.sleep(0.02)


def forked() -> Flow:
    """One node before the fork, a branch for each part, and one after it."""
    return Flow(
        "research",
        "1",
        "notes",
        ForkedState,
        (begin, read_part, conclude),
        (("read_part", "conclude"),),
        branches=(Fork("begin", each_part, ("read_part",)),),
        joins=("conclude",),
    )
