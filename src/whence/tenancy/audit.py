"""The audit log: who changed what, when, from which value to which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.clock import now
from whence.kernel.ids import new_id
from whence.tenancy.principal import Principal

ACCOUNT = "account"
"""The kind of all entries about accounts: sign-in, roles, invitations, tokens, passwords."""
BY_AGENT = "byAgent"
"""The key in the details for what a run or a model's tool did on its user's behalf."""
BY = "by"
"""The key in the details for who acted, where that is not the account of the line."""
BY_OPERATOR = {BY: "operator"}
_INSERT = text(
    "INSERT INTO whence.audit_log (org_id, id, user_id, action, kind, subject_id, detail, at) "
    "VALUES (whence.current_org(), :id, :user, :action, :kind, :subject, :detail, :at)"
).bindparams(bindparam("detail", type_=JSONB))
_OF_ACCOUNT = text("SELECT whence.audit_account(:email, :action, :detail)").bindparams(
    bindparam("detail", type_=JSONB)
)


def attempt(address: str, **more: str) -> dict[str, str]:
    """The details of what somebody tried who has not signed in: a password, an old link."""
    return {"address": address, **more, BY: "visitor"}


async def audit(
    session: AsyncSession,
    who: Principal,
    action: str,
    kind: str,
    subject_id: UUID | None,
    detail: Mapping[str, Any],
) -> None:
    """Record a change in the transaction that makes it, marked if an agent did it for its user."""
    detail_with_agent = {**detail, BY_AGENT: True} if who.is_agent else dict(detail)
    values = {"id": new_id(), "user": who.user_id, "action": action, "kind": kind}
    values |= {"subject": subject_id, "detail": detail_with_agent, "at": now()}
    await session.execute(_INSERT, values)


async def audit_each(
    session: AsyncSession,
    who: Principal,
    action: str,
    kind: str,
    details: Mapping[UUID, Mapping[str, Any]],
) -> None:
    """Record one action on several records, an entry for each, as `audit` does for one."""
    values = {"user": who.user_id, "action": action, "kind": kind, "at": now()}
    by_agent = {BY_AGENT: True} if who.is_agent else {}
    lines = [
        {**values, "id": new_id(), "subject": subject_id, "detail": {**detail, **by_agent}}
        for subject_id, detail in details.items()
    ]
    if lines:
        await session.execute(_INSERT, lines)


async def audit_account(
    session: AsyncSession, email: str, action: str, detail: Mapping[str, Any]
) -> None:
    """Record an action on an account in each of its organizations; an unknown e-mail has none."""
    await session.execute(_OF_ACCOUNT, {"email": email, "action": action, "detail": dict(detail)})
