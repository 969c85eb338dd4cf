"""The signed-in person, and the API tokens that act for them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path
from pydantic import Field

from whence.kernel.wire import Wire
from whence.tenancy import accounts, tokens
from whence.tenancy.organization import Locale
from whence.tenancy.principal import Role, Scope
from whence.tenancy.profile import profile
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api", tags=["account"])
LONGEST_LIFETIME_DAYS = 3650
"""Ten years; use no lifetime for a token that is valid until revoked."""


class Belongs(Wire):
    """An organization you belong to, with your role."""

    id: UUID
    name: str
    role: Role


class Me(Wire):
    """The principal behind a request."""

    user_id: UUID
    name: str
    email: str
    organization_id: UUID
    organization: str
    role: Role
    scopes: list[Scope]
    locale: Locale
    """How the organization writes dates and money; empty: as your browser does."""
    organizations: list[Belongs]
    """All organizations you belong to; `POST /api/auth/switch` changes to another one."""


class NewToken(Wire):
    """A token to create; without scopes it gets all of yours."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    scopes: Annotated[list[Scope], Field(min_length=1)] | None = None
    lifetime_days: Annotated[int, Field(ge=1, le=LONGEST_LIFETIME_DAYS)] | None = None


class MadeToken(Wire):
    """The text of a new token, which is shown only now."""

    token: str


class TokenAnswer(Wire):
    """A token without its text; `prefix` is for people to recognise it.  It acts for its owner."""

    id: UUID
    name: str
    prefix: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None
    user_id: UUID
    owner_name: str
    owner_email: str


@router.get("/me")
async def read_me(platform: CurrentPlatform, who: Reader) -> Me:
    """Your account and organization."""
    async with platform.unit(who) as session:
        account = await profile(session, who)
    belongs = await accounts.organizations(platform.db, who)
    return Me(
        user_id=who.user_id,
        name=account.name,
        email=account.email,
        organization_id=who.org_id,
        organization=account.organization,
        role=who.role,
        scopes=sorted(who.scopes),
        locale=account.locale,
        organizations=[Belongs(id=row.org_id, name=row.name, role=row.role) for row in belongs],
    )


@router.get("/tokens")
async def list_tokens(platform: CurrentPlatform, who: Reader) -> list[TokenAnswer]:
    """Your API tokens; an owner sees the organization's."""
    return [TokenAnswer.model_validate(row) for row in await tokens.listed(platform.db, who)]


@router.post("/tokens", status_code=201)
async def create_token(platform: CurrentPlatform, who: Writer, body: NewToken) -> MadeToken:
    """Create an API token; its scopes must be among yours."""
    days = body.lifetime_days
    token = await tokens.issue(
        platform.db,
        who,
        body.name,
        scopes=body.scopes,
        lifetime=timedelta(days=days) if days else None,
    )
    return MadeToken(token=token)


@router.delete("/tokens/{id}", status_code=204)
async def revoke_token(
    platform: CurrentPlatform, who: Writer, token_id: Annotated[UUID, Path(alias="id")]
) -> None:
    """Revoke a token at once."""
    await tokens.revoke(platform.db, who, token_id)
