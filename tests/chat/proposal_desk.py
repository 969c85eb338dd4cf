"""Where tests propose, apply and take back changes of the sample pack's notes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.chat.proposals import service as proposals
from whence.chat.proposals.tables import ProposalRow
from whence.chat.proposals.views import Applied
from whence.kernel.errors import WhenceError
from whence.kernel.ids import new_id
from whence.records import store
from whence.tenancy.principal import Principal

T = TypeVar("T")


@dataclass(frozen=True)
class Line:
    """A line of the audit log."""

    action: str
    user_id: UUID
    detail: dict[str, Any]


@dataclass(frozen=True)
class Desk:
    """One process' view; each call is a transaction of its own."""

    platform: Platform

    @property
    def owner(self) -> Principal:
        return self.platform.owner

    async def _in(self, who: Principal, do: Callable[[AsyncSession], Awaitable[T]]) -> T:
        async with self.platform.unit(who) as session:
            return await do(session)

    async def note(self, title: str = "One", body: str = "words") -> UUID:
        kind = self.platform.kind("notes")
        record = kind.record.model_validate({"title": title, "text": body})
        made = await self._in(self.owner, lambda s: store.create(s, self.owner, kind, record))
        return made.id

    async def propose(
        self, note: UUID, who: Principal | None = None, reason: str = "It was asked.", **more: Any
    ) -> ProposalRow:
        """`text="…"`, `title="…"`, or `changes={…}`; the rest as `proposals.propose` takes it."""
        own = {name: more.pop(name) for name in ("title", "text") if name in more}
        changes: dict[str, Any] = more.pop("changes", own)
        actor, kind = who or self.owner, self.platform.kind("notes")
        return await self._in(
            actor, lambda s: proposals.propose(s, actor, kind, note, changes, reason=reason, **more)
        )

    async def apply(
        self, proposal: ProposalRow | UUID, who: Principal | None = None, reason: str | None = None
    ) -> Applied:
        actor, kinds = who or self.owner, self.platform.kinds
        return await self._in(
            actor, lambda s: proposals.apply(s, actor, kinds, _id(proposal), reason)
        )

    async def undo(
        self, proposal: ProposalRow | UUID, who: Principal | None = None, reason: str | None = None
    ) -> Applied:
        actor, kinds = who or self.owner, self.platform.kinds
        return await self._in(
            actor, lambda s: proposals.undo(s, actor, kinds, _id(proposal), reason)
        )

    async def decline(
        self, proposal: ProposalRow | UUID, who: Principal | None = None
    ) -> ProposalRow:
        actor = who or self.owner
        return await self._in(actor, lambda s: proposals.decline(s, actor, _id(proposal)))

    async def change(self, note: UUID, who: Principal | None = None, **values: Any) -> None:
        actor, kind = who or self.owner, self.platform.kind("notes")
        await self._in(actor, lambda s: store.patch(s, actor, kind, note, values, None))

    async def find(self, note: UUID, **values: Any) -> None:
        """Set fields as research does: without a new version."""
        finding = (self.owner, self.platform.kind("notes"), note, values, new_id())
        if values:
            await self._in(self.owner, lambda s: store.note_findings(s, *finding))

    async def values(self, note: UUID) -> dict[str, Any]:
        kind = self.platform.kind("notes")
        row = await self._in(self.owner, lambda s: store.get(s, kind, note))
        return {**kind.before(row), "version": row.version}

    async def proposal(self, proposal: ProposalRow) -> ProposalRow:
        async with self.platform.unit(self.owner) as session:
            result = await session.get(ProposalRow, (proposal.org_id, proposal.id))
            assert result is not None
            return result

    async def audit(self, note: UUID, *actions: str) -> list[Line]:
        """The record's lines, oldest first; only these actions, where given."""
        query = text(
            "SELECT action, user_id, detail FROM whence.audit_log WHERE subject_id = :id"
            " ORDER BY at, id"
        )
        async with self.platform.unit(self.owner) as session:
            lines = [Line(*row) for row in await session.execute(query, {"id": note})]
        return [line for line in lines if not actions or line.action in actions]


def _id(proposal: ProposalRow | UUID) -> UUID:
    return proposal if isinstance(proposal, UUID) else proposal.id


async def at_once(*doing: Awaitable[Any]) -> list[Any]:
    """All of them at the same time: what each answered, or the refusal it got."""
    result = await asyncio.gather(*doing, return_exceptions=True)
    for one in result:
        if isinstance(one, BaseException) and not isinstance(one, WhenceError):
            raise one
    return result


def rewrite(database_url: str, proposal: ProposalRow, **values: object) -> None:
    """Change a proposal's row behind the program's back, as its role may not."""
    with psycopg.connect(database_url) as admin:
        admin.execute("ALTER TABLE whence.proposals DISABLE TRIGGER proposal_step")
        for name, value in values.items():
            statement = f"UPDATE whence.proposals SET {name} = %s WHERE id = %s"
            admin.execute(statement.encode(), (value, proposal.id))
        admin.execute("ALTER TABLE whence.proposals ENABLE TRIGGER proposal_step")
