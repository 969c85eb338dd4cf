"""A proposal names the evidence and claims that carry it: of its own record, found by research."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import text

from chat.proposal_desk import Desk
from whence.app.platform import Platform
from whence.chat.proposals.evidence_check import NotCarried
from whence.research import runs

pytestmark = pytest.mark.anyio


async def _researched(platform: Platform, note: UUID) -> tuple[list[UUID], list[str]]:
    """The evidence and the claims of a run that has ended."""
    kind, owner = platform.kind("notes"), platform.owner
    async with platform.unit(owner) as session:
        run_id = (await platform.ask(session, owner, kind, note)).id
    async with asyncio.timeout(90):
        while True:
            async with platform.unit(owner) as session:
                if (await runs.get(session, run_id)).status == "success":
                    break
            await asyncio.sleep(0.05)
    async with platform.unit(owner) as session:
        evidence = await session.scalars(
            text("SELECT evidence_id FROM whence.bundle_items WHERE run_id = :run"), {"run": run_id}
        )
        claims = await session.scalars(
            text(
                "SELECT path FROM whence.claims c JOIN whence.dossiers d ON d.id = c.dossier_id"
                " WHERE d.run_id = :run"
            ),
            {"run": run_id},
        )
        return list(evidence), list(claims)


async def test_what_carries_a_change_is_kept_with_it(platform: Platform, worker: object) -> None:
    desk = Desk(platform)
    note = await desk.note("One", "four words stand here")
    evidence, claims = await _researched(platform, note)
    assert evidence
    assert claims
    made = await desk.propose(note, text="new", evidence=[*evidence, *evidence], claims=claims)
    assert (made.evidence, made.claims) == (evidence, claims)


async def test_another_records_research_carries_nothing(platform: Platform, worker: object) -> None:
    desk = Desk(platform)
    other = await desk.note("Other", "some words")
    evidence, claims = await _researched(platform, await desk.note("One", "four words stand here"))
    with pytest.raises(NotCarried):
        await desk.propose(other, text="new", evidence=evidence)
    with pytest.raises(NotCarried):
        await desk.propose(other, text="new", claims=claims)
    with pytest.raises(NotCarried, match="at most 100"):
        await desk.propose(other, text="new", claims=["a"] * 101)
