"""Research that a change of a record starts, for the fields that its kind names (`follow_ups`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.turns.research_updates import begin_following
from whence.kernel.errors import Forbidden, NotReady
from whence.records.kind import SubjectKind
from whence.research.earlier import NothingToBuildOn
from whence.research.research_records import Ask
from whence.research.run_type import OtherResearchUnderWay
from whence.research.runs import WantedRun
from whence.tenancy.principal import Principal


@dataclass(frozen=True)
class FollowUps:
    """Starts that research in the transaction that changes the record."""

    ask: Ask

    async def __call__(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        record_id: UUID,
        fields: Collection[str],
        chat_session_id: UUID | None = None,
    ) -> None:
        """Request the run for these fields; the conversation, if any, is told its outcome.

        Nothing starts for a record without complete research, or while other research of it is
        active: that one's dossier says that the record changed.
        """
        names = {run for field, run in kind.follow_ups if field in fields}
        for name in sorted(names):
            try:
                submission = await self.ask(session, who, kind, record_id, wanted=WantedRun(name))
            except (NothingToBuildOn, NotReady, Forbidden, OtherResearchUnderWay):
                continue
            if chat_session_id is not None:
                await begin_following(
                    session, who, chat_session_id, submission.id, is_new=submission.created
                )
