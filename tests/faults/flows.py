"""Two flows over the sample pack's notes, for workers that are to be killed.

`paid` asks an outside market over HTTP and a model for money.  `scripted` does what its note says:
`plain`, `sleep 3`, `block 3` (the event loop), `die` (takes its worker along), `raise`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypedDict
from uuid import UUID

import httpx
from pydantic import BaseModel

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
from whence.sdk.skills import skill

OUTSIDE_SECONDS = 30


class PaidState(TypedDict, total=False):
    subject_id: str
    note: str
    listings: list[str]
    title: str
    words: int


class RecordView(BaseModel):
    text: str


class Titled(BaseModel):
    title: str


@skill(prompt="title_the_note.md")
async def title_the_note(view: RecordView) -> Titled:
    return Titled(title="by rule: " + view.text)


def recount(cited: Sequence[BundledEvidence], settings: Mapping[str, Any]) -> int:
    return sum(len(item.evidence.content.split()) for item in cited)


async def read_note(state: PaidState, run: RunContext) -> PaidState:
    """Keep the note itself as evidence."""
    note: Any = await run.subject()
    [evidence_id] = await run.keep([Finding("note", str(note.id), note.title, note.text, {})])
    await run.judge([Judgement(evidence_id, "note", included=True, reason="the note itself")])
    return {"note": str(evidence_id)}


async def title(state: PaidState, run: RunContext) -> PaidState:
    """Ask the model."""
    note: Any = await run.subject()
    return {"title": (await title_the_note(RecordView(text=note.text))).title}


async def weigh(state: PaidState, run: RunContext) -> PaidState:
    """Call a tool, and leave out what is too short."""
    items = await run.bundle("listing")
    words = 0
    for item in items:
        answer = await run.call("count_words", {"text": item.evidence.content})
        words += int(answer.model_dump()["words"])
    await run.judge(
        [
            Judgement(item.evidence.id, "listing", len(item.evidence.content) > 12, "its length")
            for item in items
        ]
    )
    return {"words": words}


async def persist_results(state: PaidState, run: RunContext) -> PaidState:
    """Three claims, each on its evidence."""
    result = tuple(Cite(UUID(one)) for one in state["listings"])
    note = (Cite(UUID(state["note"])),)
    count = Figure("count_words@1")
    words = state["words"]
    claims = (
        ClaimDraft("words", f"{words} words", words, 1.0, "rules:count@1", result, count),
        ClaimDraft("title", state["title"], state["title"], 0.7, "model:any", note),
        ClaimDraft("listings", "found", len(result), 0.9, "rules:count@1", result),
    )
    body = {"words": words, "title": state["title"], "listings": len(result)}
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, state["title"], body, claims))
    return {}


def paid(url: str) -> Flow:
    """Five nodes; `price` asks `url` for listings, `title` asks the model that is configured."""

    async def price(state: PaidState, run: RunContext) -> PaidState:
        await run.report("asking the market")
        async with httpx.AsyncClient(timeout=OUTSIDE_SECONDS) as client:
            answer = (await client.get(f"{url}/listings")).raise_for_status().json()
        findings = [Finding("market", one["id"], one["title"], one["text"], {}) for one in answer]
        ids = await run.keep(findings)
        await run.judge([Judgement(one, "listing", included=True, reason="found") for one in ids])
        return {"listings": [str(one) for one in ids]}

    nodes = (read_note, price, title, weigh, persist_results)
    return _flow(PaidState, nodes)


async def act(state: PaidState, run: RunContext) -> PaidState:
    """What the note's text tells."""
    note: Any = await run.subject()
    reported, _, seconds = note.text.partition(" ")
    match reported:
        case "sleep":
            await asyncio.sleep(float(seconds))
        case "block":
            time.sleep(float(seconds))
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raise":
            raise RuntimeError("this note raises")
        case _:
            pass
    return {"words": len(note.text.split())}


async def conclude(state: PaidState, run: RunContext) -> PaidState:
    """One claim."""
    words, cite = state["words"], Cite(UUID(state["note"]))
    claim = ClaimDraft("words", "counted", words, 1.0, "rules:count@1", (cite,))
    async with run.fenced() as session:
        await run.save(session, DossierDraft(1, "counted", {"words": words}, (claim,)))
    return {}


def scripted() -> Flow:
    """Three nodes; the middle one does what the note says."""
    return _flow(PaidState, (read_note, act, conclude))


def _flow(state: type, nodes: tuple[Any, ...]) -> Flow:
    edges = tuple(pairwise(node.__name__ for node in nodes))
    counting = {"count_words@1": recount}
    return Flow("research", "1", "notes", state, nodes, edges, recomputations=counting)
