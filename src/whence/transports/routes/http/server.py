"""What a client needs to know of this server before anybody is signed in."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter

from whence.kernel.wire import Wire
from whence.tenancy.passwords import MIN_LENGTH
from whence.transports.edge.access import PUBLIC
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/server", tags=["health"], dependencies=[PUBLIC])


class Server(Wire):
    """This server's version, and how people sign in to it."""

    version: str
    accounts: bool
    """Whether people sign in with e-mail and password; otherwise with the link it prints."""
    min_password_length: int


@router.get("")
async def read_server(platform: CurrentPlatform) -> Server:
    """The server's version, and how people sign in."""
    return Server(
        version=version("whence"),
        accounts=platform.settings.accounts,
        min_password_length=MIN_LENGTH,
    )
