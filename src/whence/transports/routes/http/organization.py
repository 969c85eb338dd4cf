"""The organization's profile, which is given to the agents that answer in its name."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from whence.tenancy import organization
from whence.tenancy.organization import OrganizationProfile, ProfileText
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform
from whence.transports.routes.http.subjects import expected_version

router = APIRouter(prefix="/api/organization", tags=["organization"])
IfMatch = Annotated[str | None, Header(max_length=100)]


@router.get("/profile")
async def read_profile(
    platform: CurrentPlatform, who: Reader, response: Response
) -> OrganizationProfile:
    """The organization's description of itself; empty until somebody writes one."""
    async with platform.unit(who) as session:
        organization_profile = await organization.read(session)
    response.headers["ETag"] = f'"{organization_profile.version}"'
    return organization_profile


@router.put("/profile")
async def write_profile(
    platform: CurrentPlatform,
    who: Writer,
    response: Response,
    body: ProfileText,
    if_match: IfMatch = None,
) -> OrganizationProfile:
    """Replace the profile; with `If-Match` only if it is still that version."""
    async with platform.unit(who) as session:
        written = await organization.write(session, who, body, expected_version(if_match))
    response.headers["ETag"] = f'"{written.version}"'
    return written
