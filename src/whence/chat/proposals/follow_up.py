"""What else happens when a proposal is applied or undone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal


class FollowUp(Protocol):
    """What else happens, in the same transaction, when fields of a record have changed."""

    async def __call__(
        self,
        session: AsyncSession,
        who: Principal,
        kind: SubjectKind,
        record_id: UUID,
        fields: Collection[str],
        chat_session_id: UUID | None = None,
    ) -> None: ...
