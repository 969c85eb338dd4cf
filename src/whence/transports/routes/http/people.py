"""The people of an organization: members, invitations, and sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field

from whence.kernel.wire import Wire
from whence.tenancy import accounts, invitations, sessions
from whence.tenancy.email import MAX_EMAIL
from whence.tenancy.principal import Role
from whence.transports.edge.access import Owner, SignedIn
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api", tags=["people"])
Id = Annotated[UUID, Path(alias="id")]


class SessionAnswer(Wire):
    """A signed-in browser; `label` is its own name for itself."""

    id: UUID
    user_id: UUID
    label: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime
    is_current: bool


class NewInvitation(Wire):
    """The person to invite, and the role."""

    email: Annotated[str, Field(max_length=MAX_EMAIL)]
    role: Role = Role.MEMBER


class MadeInvitation(Wire):
    """The secret of an invitation, shown only now, and the link to send."""

    token: str
    path: str
    """`/accept?token=…` on this server's address."""


class InvitationAnswer(Wire):
    """An invitation, without its secret."""

    id: UUID
    email: str
    role: Role
    invited_by: UUID
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None
    withdrawn_at: datetime | None


class MemberAnswer(Wire):
    """A member of the organization."""

    user_id: UUID
    email: str
    name: str
    role: Role
    since: datetime
    last_seen_at: datetime | None


class NewRole(Wire):
    """A member's new role."""

    role: Role


@router.get("/sessions")
async def list_sessions(platform: CurrentPlatform, who: SignedIn) -> list[SessionAnswer]:
    """Your sessions; an owner sees the organization's."""
    return [SessionAnswer.model_validate(row) for row in await sessions.listed(platform.db, who)]


@router.delete("/sessions/{id}", status_code=204)
async def end_session(platform: CurrentPlatform, who: SignedIn, session_id: Id) -> None:
    """End one of your sessions at once; an owner may end any of the organization's."""
    await sessions.end(platform.db, who, session_id)


@router.get("/invitations")
async def list_invitations(platform: CurrentPlatform, who: Owner) -> list[InvitationAnswer]:
    """The organization's invitations, newest first."""
    return [
        InvitationAnswer.model_validate(row) for row in await invitations.listed(platform.db, who)
    ]


@router.post("/invitations", status_code=201)
async def invite(platform: CurrentPlatform, who: Owner, body: NewInvitation) -> MadeInvitation:
    """Invite somebody; the link works once, for seven days."""
    token = await invitations.invite(platform.db, who, body.email, body.role)
    return MadeInvitation(token=token, path=f"/accept?token={token}")


@router.delete("/invitations/{id}", status_code=204)
async def withdraw_invitation(platform: CurrentPlatform, who: Owner, invitation_id: Id) -> None:
    """Withdraw an open invitation."""
    await invitations.withdraw(platform.db, who, invitation_id)


@router.get("/members")
async def list_members(platform: CurrentPlatform, who: Owner) -> list[MemberAnswer]:
    """All members of the organization, longest member first."""
    return [MemberAnswer.model_validate(row) for row in await accounts.members(platform.db, who)]


@router.patch("/members/{id}", status_code=204)
async def change_role(platform: CurrentPlatform, who: Owner, user_id: Id, body: NewRole) -> None:
    """Change a member's role at once; an organization keeps at least one owner."""
    await accounts.set_role(platform.db, who, user_id, body.role)


@router.delete("/members/{id}", status_code=204)
async def remove_member(platform: CurrentPlatform, who: Owner, user_id: Id) -> None:
    """Remove a member, with their sessions and tokens."""
    await accounts.remove(platform.db, who, user_id)
