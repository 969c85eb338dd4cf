"""The organization's profile, which the agents that answer in its name are told."""

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
    """What the organization says of itself; empty where nobody has written anything yet."""
    async with platform.unit(who) as session:
        found = await organization.read(session)
    response.headers["ETag"] = f'"{found.version}"'
    return found


@router.put("/profile")
async def write_profile(
    platform: CurrentPlatform,
    who: Writer,
    response: Response,
    body: ProfileText,
    if_match: IfMatch = None,
) -> OrganizationProfile:
    """Put a new profile in place of the present one; with `If-Match` only where it is that one."""
    async with platform.unit(who) as session:
        written = await organization.write(session, who, body, expected_version(if_match))
    response.headers["ETag"] = f'"{written.version}"'
    return written
