"""Research of a blank record: keep its text as evidence, then conclude how many words it has.

The word count stands for what you want to know.  Replace the nodes, and keep the order: find
evidence, judge it, draw a conclusion that cites it, save.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict
from uuid import UUID

from whence.sdk.evidence import (
    BundledEvidence,
    Cite,
    ClaimDraft,
    DossierDraft,
    Figure,
    Finding,
    Judgement,
)
from whence.sdk.research import Flow, RunContext
from whence.sdk.values import Wire

from .records import BlankRecordRow

RULE = "count_words@1"
"""Raise the number when the rule changes: each claim names the version that made it."""


class WordCount(Wire):
    """The body of the dossier."""

    words: int


class State(TypedDict):
    """What one node leaves for the next: ids and small facts."""

    subject_id: str
    evidence_id: str
    words: int


async def read_text(state: State, run: RunContext) -> dict[str, Any]:
    """Keep the text as evidence."""
    row = await run.subject()
    assert isinstance(row, BlankRecordRow)
    finding = Finding("text", str(row.id), row.title, row.text, {"length": len(row.text)})
    [evidence_id] = await run.keep([finding])
    await run.judge([Judgement(evidence_id, "text", included=True, reason="its own text")])
    return {"evidence_id": str(evidence_id)}


async def count_words(state: State, run: RunContext) -> dict[str, Any]:
    """Count the words of the evidence."""
    [item] = await run.bundle("text")
    answer = await run.call("count_blank_pack_words", {"text": item.evidence.content})
    return {"words": answer.model_dump()["words"]}


async def save_dossier(state: State, run: RunContext) -> dict[str, Any]:
    """Save the conclusion with its evidence."""
    words = state["words"]
    claim = ClaimDraft(
        path="words",
        statement=f"The text has {words} words.",
        value=words,
        confidence=1.0,
        method=f"rules:{RULE}",
        cites=(Cite(UUID(state["evidence_id"])),),
        figure=Figure(RULE),
    )
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, claim.statement, {"words": words}, (claim,)))
    return {}


def recount(cited: Sequence[BundledEvidence], settings: Mapping[str, Any]) -> int:
    """The figure from its evidence, computed again before the claim is saved."""
    return sum(len(item.evidence.content.split()) for item in cited)


RESEARCH = Flow(
    id="research",
    version="1",
    kind="blank-records",
    state=State,
    nodes=(read_text, count_words, save_dossier),
    edges=(("read_text", "count_words"), ("count_words", "save_dossier")),
    dossier=WordCount,
    recomputations={RULE: recount},
)
