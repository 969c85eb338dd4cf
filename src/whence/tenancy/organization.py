"""An organization's description of itself: sectors, abilities, interests and guidelines, and how it
writes dates and money.

The description is given to everything that answers in the organization's name, above all the chat
agents.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.db.statements import storable
from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.kernel.wire import Wire
from whence.tenancy.audit import audit
from whence.tenancy.principal import Principal, Scope

MAX_WORDS = 50
"""Entries in each list; the profile is part of every prompt."""
MAX_TEXT = 4000
"""Characters of each text."""
_READ = """
    SELECT o.name, p.sectors, p.capabilities, p.regions, p.ideal_work, p.guidelines, p.locale,
           p.version, p.updated_by, p.updated_at
    FROM whence.organizations o LEFT JOIN whence.organization_profiles p USING (org_id)
    WHERE o.org_id = whence.current_org()
"""
_READ_AS = (
    *("name", "sectors", "capabilities", "regions", "ideal_work", "guidelines", "locale"),
    *("version", "updated_by", "updated_at"),
)
_WRITE = text("""
    INSERT INTO whence.organization_profiles AS p (org_id, sectors, capabilities, regions,
        ideal_work, guidelines, locale, updated_by, updated_at)
    VALUES (whence.current_org(), :sectors, :capabilities, :regions, :ideal_work, :guidelines,
        :locale, :user, :at)
    ON CONFLICT (org_id) DO UPDATE SET sectors = excluded.sectors,
        capabilities = excluded.capabilities, regions = excluded.regions,
        ideal_work = excluded.ideal_work, guidelines = excluded.guidelines,
        locale = excluded.locale, version = p.version + 1, updated_by = excluded.updated_by,
        updated_at = excluded.updated_at
    WHERE CAST(:expected AS int) IS NULL OR p.version = :expected
    RETURNING version
""")
Words = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=MAX_WORDS)
]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Locale = Literal["", "en-GB", "en-US"]


class ProfileChanged(Conflict):
    """Somebody else has changed the organization's profile; read it again."""


class ProfileText(Wire):
    """An organization's description of itself."""

    sectors: Words = Field(default_factory=list)
    capabilities: Words = Field(default_factory=list)
    regions: Words = Field(default_factory=list)
    ideal_work: Text = ""
    """The work it is looking for, in its own words."""
    guidelines: Text = ""
    """How to answer in its name."""
    locale: Locale = ""
    """How the application writes dates and money; empty: as each person's browser does."""


class OrganizationProfile(ProfileText):
    """The stored profile; `version` is 0 if nobody has written one yet."""

    name: str
    version: int = 0
    updated_by: UUID | None = None
    updated_at: datetime | None = None


async def read(session: AsyncSession) -> OrganizationProfile:
    """The profile of the current organization."""
    [row] = await statements.rows(session, _READ, {})
    values = {name: value for name, value in zip(_READ_AS, row, strict=True) if value is not None}
    return OrganizationProfile.model_validate(values)


async def write(
    session: AsyncSession, who: Principal, profile: ProfileText, expected: int | None = None
) -> OrganizationProfile:
    """Replace the profile and record that in the audit log.

    Raises Forbidden without the scope `write` and for an agent, ProfileChanged if `expected` is not
    the current version.
    """
    who.require(Scope.WRITE)
    who.require_person()
    before = await read(session)
    values = storable(profile.model_dump())
    parameters = values | {"user": who.user_id, "at": now(), "expected": expected}
    written = (await session.execute(_WRITE, parameters)).one_or_none()
    if written is None or (expected and not before.version):
        raise ProfileChanged
    was = before.model_dump(include=set(ProfileText.model_fields))
    changed = {
        name: {"before": was[name], "after": values[name]}
        for name in was
        if was[name] != values[name]
    }
    await audit(session, who, "change_profile", "organization", who.org_id, changed)
    return await read(session)
