"""Who may call a route.  Each route says so by one of these rules, or the program does not start.

    anyone      no sign-in               signed in   a person's own session, no API token
    reader      scope `read`             owner       an owner's session
    writer      scope `write`            talker       scope `read`, no read-only token

The rule stands in the OpenAPI document as `x-access`; the test of access is made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from whence.chat.transcript.sessions import may_talk
from whence.kernel.errors import Forbidden, Misconfigured
from whence.tenancy.principal import Principal, Role, Scope
from whence.transports.edge.identity import Asker, asker

ACCESS = "x-access"


class NeedsPerson(Forbidden):
    """Only a signed-in person may do this, not an API token; sign in with e-mail and password."""


class NeedsOwner(Forbidden):
    """Only an owner of the organization may do this; ask one of them."""


class NoRule(Misconfigured):
    """A route declares no access rule; give it one from `transports/edge/access.py`."""


async def anyone() -> None:
    """No sign-in required."""


async def reader(who: Annotated[Asker, Depends(asker)]) -> Principal:
    """A principal who may read."""
    who.principal.require(Scope.READ)
    return who.principal


async def writer(who: Annotated[Asker, Depends(asker)]) -> Principal:
    """A principal who may write."""
    who.principal.require(Scope.WRITE)
    return who.principal


async def talker(who: Annotated[Asker, Depends(asker)]) -> Principal:
    """A principal who may hold conversations: also a viewer, but not a read-only token."""
    may_talk(who.principal)
    return who.principal


async def signed_in(who: Annotated[Asker, Depends(asker)]) -> Principal:
    """A signed-in person of any role, in their own session."""
    if who.by_token:
        raise NeedsPerson
    return who.principal


async def owner(who: Annotated[Principal, Depends(signed_in)]) -> Principal:
    """An owner in their own session, so that a leaked token cannot let anybody in."""
    if who.role is not Role.OWNER:
        raise NeedsOwner
    return who


PUBLIC = Depends(anyone)
"""For a whole router or one route: `APIRouter(dependencies=[PUBLIC])`."""
Reader = Annotated[Principal, Depends(reader)]
Writer = Annotated[Principal, Depends(writer)]
Talker = Annotated[Principal, Depends(talker)]
SignedIn = Annotated[Principal, Depends(signed_in)]
Owner = Annotated[Principal, Depends(owner)]
RULES: dict[Callable[..., Any], str] = {
    owner: "owner",
    signed_in: "signed-in",
    writer: "write",
    talker: "talk",
    reader: "read",
    anyone: "public",
}
"""Maps a rule to its word in the OpenAPI document; the first rule a route depends on counts."""


def ruled(router: APIRouter) -> APIRouter:
    """Return the router with each route's rule in its OpenAPI entry; raises NoRule."""
    for route in router.routes:
        if isinstance(route, APIRoute):
            calls = set(_calls(route.dependant))
            words = [word for rule, word in RULES.items() if rule in calls]
            if not words:
                methods = " ".join(sorted(route.methods or ()))
                raise NoRule(
                    f"{methods} {route.path} does not say who may call it: give it a rule, such as "
                    "a parameter `who: Reader` (transports/edge/access.py)."
                )
            route.openapi_extra = (route.openapi_extra or {}) | {ACCESS: words[0]}
    return router


def _calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    for inner in dependant.dependencies:
        if inner.call is not None:
            yield inner.call
        yield from _calls(inner)
