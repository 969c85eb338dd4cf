"""Tombstones: the record of each erasure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, select, text, tuple_
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped

from whence.db.tables import TenantRow
from whence.kernel.clock import now
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id
from whence.kernel.text import clean
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal

MAX_REASON = 500
"""Characters of a reason; it is kept, so it should not name anybody."""
ACTION = "erase"
"""The action in the audit log."""
_COUNTED = text(
    "UPDATE whence.erasures SET removed = :removed, kept = :kept WHERE id = :erasure"
).bindparams(bindparam("removed", type_=JSONB), bindparam("kept", type_=JSONB))


class Erasure(TenantRow):
    """An erasure and what remains of its subject."""

    __tablename__ = "erasures"
    __table_args__ = {"schema": "whence"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    kind: Mapped[str]
    subject_id: Mapped[UUID]
    reason: Mapped[str]
    by_deletion: Mapped[bool]
    """A member deleted the record, and the installation erases what is deleted."""
    erased_by: Mapped[UUID]
    erased_at: Mapped[datetime]
    removed: Mapped[dict[str, Any]]
    kept: Mapped[dict[str, Any]]


async def begin(
    session: AsyncSession,
    who: Principal,
    kind: str,
    subject_id: UUID,
    reason: str,
    *,
    by_deletion: bool = False,
) -> Erasure:
    """Record an erasure; only then does the database allow rows to be deleted.  Raises Invalid."""
    why = clean(reason).strip()
    if not 0 < len(why) <= MAX_REASON:
        raise Invalid(f"An erasure needs a reason of 1 to {MAX_REASON} characters.")
    tombstone = Erasure(
        id=new_id(),
        kind=kind,
        subject_id=subject_id,
        reason=why,
        by_deletion=by_deletion,
        erased_by=who.user_id,
        erased_at=now(),
        removed={},
        kept={},
    )
    session.add(tombstone)
    await session.flush()
    return tombstone


async def end(
    session: AsyncSession,
    who: Principal,
    tombstone: Erasure,
    removed: Mapping[str, int],
    kept: Mapping[str, int],
) -> Erasure:
    """Record the counts, and add the entry in the audit log."""
    values = {"erasure": tombstone.id, "removed": dict(removed), "kept": dict(kept)}
    await session.execute(_COUNTED, values)
    detail = {"erased": str(tombstone.id)}
    await audit(session, who, ACTION, tombstone.kind, tombstone.subject_id, detail)
    await session.refresh(tombstone)
    session.expunge(tombstone)
    return tombstone


async def of(session: AsyncSession, kind: str, subject_id: UUID) -> Erasure | None:
    """The tombstone of something erased before."""
    query = select(Erasure).where(Erasure.kind == kind, Erasure.subject_id == subject_id)
    return (await session.scalars(query.order_by(Erasure.erased_at).limit(1))).one_or_none()


async def listed(
    session: AsyncSession, *, before: tuple[datetime, UUID] | None = None, limit: int = 50
) -> Sequence[Erasure]:
    """Erasures, newest first."""
    query = select(Erasure).order_by(Erasure.erased_at.desc(), Erasure.id.desc())
    if before is not None:
        query = query.where(tuple_(Erasure.erased_at, Erasure.id) < before)
    return list(await session.scalars(query.limit(limit)))
