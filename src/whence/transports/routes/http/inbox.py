"""What waits for a person: proposals, questions of paused runs, open forms, and what packs add."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.proposals.views import ProposalAnswer
from whence.chat.proposals.waiting import waiting_for
from whence.kernel.clock import now
from whence.kernel.wire import Wire
from whence.research import listing
from whence.research.questions import Question
from whence.sdk.inbox import WaitingEntry
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader
from whence.transports.edge.identity import CurrentPlatform
from whence.wizards import store as wizard_runs
from whence.wizards.payload import DefinitionRef

router = APIRouter(prefix="/api/inbox", tags=["inbox"])
MOST = 200
"""Entries of each type; whoever has more decides on the oldest first."""


class WaitingForm(Wire):
    """A form that was begun and not completed."""

    wizard_run_id: UUID
    definition: DefinitionRef
    title: str
    answers: int
    expires_at: datetime
    chat_session_id: UUID | None


class WaitingOfPack(WaitingEntry):
    """An entry of a pack, with its source."""

    pack: str
    source: str
    source_title: str


class InboxEntry(Wire):
    """One decision that waits; `kind` and `subjectId` name the record it is about, if any."""

    type: Literal["proposal", "question", "form", "pack"]
    id: str
    """Unique within the inbox: the proposal, the run, or the pack's own id with its source."""
    kind: str | None
    subject_id: UUID | None
    since: datetime
    proposal: ProposalAnswer | None = None
    flow: str | None = None
    """For a question: the flow whose run waits."""
    question: Question | None = None
    form: WaitingForm | None = None
    entry: WaitingOfPack | None = None


class Inbox(Wire):
    """Everything that waits, the oldest first."""

    items: list[InboxEntry]


@router.get("")
async def inbox(platform: CurrentPlatform, who: Reader) -> Inbox:
    """What waits for you: changes proposed to you, questions of paused runs, your open forms, and
    what the packs add."""
    async with platform.unit(who) as session:
        entries = [
            *await _proposals(session, platform, who),
            *await _questions(session),
            *await _forms(session, platform, who),
            *await _of_packs(session, platform, who),
        ]
    return Inbox(items=sorted(entries, key=lambda entry: entry.since))


async def _proposals(
    session: AsyncSession, platform: Platform, who: Principal
) -> Sequence[InboxEntry]:
    return [
        InboxEntry(
            type="proposal",
            id=str(each.id),
            kind=each.kind,
            subject_id=each.subject_id,
            since=each.created_at,
            proposal=each,
        )
        for each in await waiting_for(session, platform.kinds, who, now(), MOST)
    ]


async def _questions(session: AsyncSession) -> Sequence[InboxEntry]:
    return [
        InboxEntry(
            type="question",
            id=str(run.id),
            kind=run.kind,
            subject_id=run.subject_id,
            since=run.created_at,
            flow=run.flow,
            question=Question.model_validate(run.question),
        )
        for run in await listing.waiting_for_answers(session, MOST)
    ]


async def _forms(session: AsyncSession, platform: Platform, who: Principal) -> Sequence[InboxEntry]:
    """Open forms with at least one answer: one that was only looked at waits for nobody."""
    entries: list[InboxEntry] = []
    for run in await wizard_runs.open_runs(session, who):
        wizard = platform.wizards.pinned(run.definition, run.version)
        if wizard is None or run.revision == 0:
            continue
        form = WaitingForm(
            wizard_run_id=run.id,
            definition=DefinitionRef(id=run.definition, version=run.version),
            title=wizard.title,
            answers=run.revision,
            expires_at=run.expires_at,
            chat_session_id=run.chat_session_id,
        )
        entries.append(
            InboxEntry(
                type="form",
                id=str(run.id),
                kind=run.kind if run.subject_id else None,
                subject_id=run.subject_id,
                since=run.updated_at,
                form=form,
            )
        )
    return entries


async def _of_packs(
    session: AsyncSession, platform: Platform, who: Principal
) -> Sequence[InboxEntry]:
    return [
        InboxEntry(
            type="pack",
            id=f"{pack.id}.{source.name}:{waiting.id}",
            kind=waiting.kind,
            subject_id=waiting.subject_id,
            since=waiting.since,
            entry=WaitingOfPack(
                **dict(waiting), pack=pack.id, source=source.name, source_title=source.title
            ),
        )
        for pack in platform.packs
        for source in pack.inbox
        for waiting in (await source.entries(session, who, MOST))[:MOST]
    ]
