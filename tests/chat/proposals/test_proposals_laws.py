"""What may be proposed, changed, found, applied, taken back and declined, in any order: the record
is what its audit log replays to, and each proposal had at most the one effect that it showed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chat.proposal_desk import Desk, at_once
from whence.app.platform import Platform
from whence.chat.proposals import refusals
from whence.chat.proposals.tables import ProposalRow
from whence.kernel.errors import WhenceError

pytestmark = pytest.mark.anyio
REFUSALS = (
    refusals.NothingToChange,
    refusals.RecordChanged,
    refusals.AlreadyApplied,
    refusals.AlreadyUndone,
    refusals.AlreadyDeclined,
    refusals.NotApplied,
)
ACTS = st.one_of(
    st.tuples(
        st.sampled_from(["propose", "change", "find"]),
        st.fixed_dictionaries(
            {}, optional={"title": st.sampled_from("ABC"), "text": st.sampled_from(["", "x", "y"])}
        ),
    ),
    st.tuples(st.sampled_from(["apply", "apply", "undo", "decline"]), st.integers(0, 5)),
)
MAKES_A_VERSION = ("create", "update", "apply_proposal", "undo_proposal")
SEQUENCES = st.lists(st.lists(ACTS, min_size=1, max_size=3), min_size=1, max_size=10)
"""Rounds of acts; those of one round are done at the same time."""
QUICKLY = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass
class Walk:
    """A record and what was proposed for it."""

    desk: Desk
    note: UUID
    made: list[ProposalRow] = field(default_factory=list[ProposalRow])

    async def act(self, what: str, argument: Any) -> None:
        if what == "propose":
            self.made.append(await self.desk.propose(self.note, changes=argument))
        elif what == "change":
            await self.desk.change(self.note, **argument)
        elif what == "find":
            await self.desk.find(self.note, **argument)
        elif self.made:
            proposal = self.made[argument % len(self.made)]
            await getattr(self.desk, what)(proposal)


async def replay(desk: Desk, note: UUID) -> dict[str, Any]:
    """The record as its audit log tells it; each line must go on from the one before."""
    values: dict[str, Any] = {"version": 0}
    for line in await desk.audit(note, *MAKES_A_VERSION, "research_change"):
        before, after = line.detail.get("before", {}), line.detail.get("after", line.detail)
        assert {name: values.get(name) for name in before} == before, line
        values |= {**after, "version": values["version"] + (line.action in MAKES_A_VERSION)}
    return values


@QUICKLY
@given(rounds=SEQUENCES)
async def test_the_record_is_what_its_audit_log_replays_to(
    platform: Platform, rounds: list[list[tuple[str, Any]]]
) -> None:
    desk = Desk(platform)
    walk = Walk(desk, await desk.note("A", "x"))
    for acts in rounds:
        for item in await at_once(*(walk.act(*act) for act in acts)):
            assert not isinstance(item, WhenceError) or isinstance(item, REFUSALS), item
    assert await desk.values(walk.note) == await replay(desk, walk.note)
    await _each_had_its_own_effect(walk)


async def _each_had_its_own_effect(walk: Walk) -> None:
    lines = await walk.desk.audit(walk.note, "apply_proposal", "undo_proposal")
    audited = Counter((line.action, line.detail["proposal"]) for line in lines)
    fields = {(line.action, line.detail["proposal"]): line.detail for line in lines}
    for proposal in walk.made:
        now = await walk.desk.proposal(proposal)
        applied, undone = ("apply_proposal", str(now.id)), ("undo_proposal", str(now.id))
        assert (audited[applied], audited[undone]) == {
            "proposed": (0, 0),
            "declined": (0, 0),
            "applied": (1, 0),
            "undone": (1, 1),
        }[now.status]
        if applied in fields:
            assert (fields[applied]["before"], fields[applied]["after"]) == (now.before, now.after)
        if undone in fields:
            assert (fields[undone]["after"], fields[undone]["before"]) == (now.before, now.after)
