"""What waits for a person: proposals offered to them, and the questions of paused runs."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter

from whence.chat.proposals.views import ProposalAnswer
from whence.chat.proposals.waiting import waiting_for
from whence.kernel.clock import now
from whence.kernel.wire import Wire
from whence.research import listing
from whence.research.questions import Question
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/inbox", tags=["inbox"])
MOST = 200
"""Entries of each type; whoever has more decides on the oldest first."""


class InboxEntry(Wire):
    """One decision that waits, about the record of `kind` and `subjectId`."""

    type: Literal["proposal", "question"]
    id: UUID
    """The proposal or the run."""
    kind: str
    subject_id: UUID
    since: datetime
    proposal: ProposalAnswer | None = None
    flow: str | None = None
    """For a question: the flow whose run waits."""
    question: Question | None = None


class Inbox(Wire):
    """Everything that waits, the oldest first."""

    items: list[InboxEntry]


@router.get("")
async def inbox(platform: CurrentPlatform, who: Reader) -> Inbox:
    """What waits for you: changes that were proposed to you, and questions of paused runs."""
    at = now()
    async with platform.unit(who) as session:
        offered = await waiting_for(session, platform.kinds, who, at, MOST)
        waiting = await listing.waiting_for_answers(session, MOST)
    entries = [
        InboxEntry(
            type="proposal",
            id=each.id,
            kind=each.kind,
            subject_id=each.subject_id,
            since=each.created_at,
            proposal=each,
        )
        for each in offered
    ]
    entries += [
        InboxEntry(
            type="question",
            id=run.id,
            kind=run.kind,
            subject_id=run.subject_id,
            since=run.created_at,
            flow=run.flow,
            question=Question.model_validate(run.question),
        )
        for run in waiting
    ]
    return Inbox(items=sorted(entries, key=lambda entry: entry.since))
