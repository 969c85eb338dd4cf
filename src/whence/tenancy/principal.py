"""The acting principal and its organization: the only source of a tenant in the program."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from uuid import UUID

from whence.kernel.errors import Forbidden


class Role(StrEnum):
    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class Scope(StrEnum):
    """What a token or a role allows; each tool needs exactly one of these."""

    READ = "read"
    WRITE = "write"
    PROPOSE = "propose"


SCOPES: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.MEMBER: frozenset(Scope),
    Role.VIEWER: frozenset({Scope.READ}),
}


class PersonOnly(Forbidden):
    """Only a person may do this, not a run or an agent that acts for a person."""


@dataclass(frozen=True)
class Principal:
    """The signed-in user or token, acting for one organization."""

    org_id: UUID
    user_id: UUID
    role: Role
    scopes: frozenset[Scope]
    credential: UUID | None = field(default=None, compare=False)
    """The API token or session used; it does not affect who the principal is."""
    is_agent: bool = field(default=False, compare=False)
    """A run or a model's tool that acts for the user: it may propose changes, never apply them."""

    def require(self, scope: Scope) -> None:
        """Raise Forbidden with what to do if this principal lacks the scope.

        Who may write may also propose: a proposal changes nothing.
        """
        if scope is Scope.PROPOSE and Scope.WRITE in self.scopes:
            return
        if scope not in self.scopes:
            raise Forbidden(self._refusal(scope))

    def _refusal(self, scope: Scope) -> str:
        if scope in SCOPES[self.role]:
            return f"This token lacks the scope '{scope}'; make a token that has it."
        return "You can read here, not change. Ask an owner to make you a member."

    def require_person(self) -> None:
        """Raise PersonOnly for a run or an agent, whatever its user may do."""
        if self.is_agent:
            raise PersonOnly


def principal(org_id: UUID, user_id: UUID, role: Role) -> Principal:
    """A principal with all rights of its role."""
    return Principal(org_id, user_id, role, SCOPES[role])


def agent_of(who: Principal) -> Principal:
    """The principal of a run or a model's tool that acts on this one's behalf."""
    return replace(who, is_agent=True)


def require_owner(who: Principal) -> None:
    """Raise Forbidden unless this is an owner, with a session or a token that may write.

    An agent that acts for an owner is not one.
    """
    who.require_person()
    if who.role is not Role.OWNER:
        raise Forbidden("Only an owner may do this.")
    who.require(Scope.WRITE)
