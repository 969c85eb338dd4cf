"""Requests the research that a message asks for."""

from __future__ import annotations

import re

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.record_view import RecordView
from whence.chat.turns.turn import Turn
from whence.research.earlier import NothingToBuildOn
from whence.research.runs import ANYWAY, WantedRun
from whence.work.submission import Submission

_ANYWAY = re.compile(
    r"\b(?:anyway|anyhow|nevertheless|nonetheless|regardless|trotzdem|dennoch)\b", re.IGNORECASE
)
"""The words that override that a record need not be researched in its state."""


async def submit_research(
    session: AsyncSession, turn: Turn, view: RecordView
) -> tuple[str, Submission]:
    """Request the type of run that the message means; a sentence that says what was started."""
    kinds = turn.deps.chat(view.kind.kind).run_types
    meant = next((each for each in kinds if each.is_meant_by(turn.content)), None)
    about = (session, turn.who, view.kind, view.subject_id)
    options = {ANYWAY: True} if _ANYWAY.search(turn.content) else None
    thing = view.kind.title.lower()
    lead = f"I have started research on this {thing}."
    if meant is not None:
        try:
            submission = await turn.deps.submit_research(
                *about, options=options, wanted=WantedRun(meant.name)
            )
        except NothingToBuildOn:  # nothing was written
            lead = (
                f"This {thing} has no complete research yet, so I have started a full research "
                f"instead of {meant.title}."
            )
        else:
            return f"I have started {meant.title} on this {thing}.", submission
    return lead, await turn.deps.submit_research(*about, options=options)
