"""Access tokens: short-lived JWTs (RFC 7519) that name a session; only signed with HS256.

The signature shows that we issued the token; whether the session is still active is read from its
row each time, so that a sign-out, a removal or a new role takes effect at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import jwt
from pydantic import BaseModel, ValidationError

from whence.tenancy.tokens import BadToken

ALGORITHM = "HS256"
ISSUER = "whence"
AUDIENCE = "whence-api"
LEEWAY_SECONDS = 10
"""How much the clocks of several hosts may differ."""
_REQUIRED = ["iss", "aud", "sub", "org", "sid", "iat", "exp"]


@dataclass(frozen=True)
class SigningKey:
    """A key with its id, which is in the header of what it signed."""

    id: UUID
    secret: bytes


class SessionEnded(BadToken):
    """Session expired, please refresh; if that does not help, sign in again."""


class Claims(BaseModel):
    """The claims of an access token: user, organization and session."""

    sub: UUID
    org: UUID
    sid: UUID


class _Header(BaseModel):
    kid: UUID


def signed(claims: Claims, key: SigningKey, at: datetime, lifetime: timedelta) -> str:
    """The token, valid from `at` for `lifetime`."""
    payload: dict[str, Any] = claims.model_dump(mode="json")
    payload |= {"iss": ISSUER, "aud": AUDIENCE, "iat": at, "exp": at + lifetime}
    return jwt.encode(payload, key.secret, ALGORITHM, headers={"kid": str(key.id)})


def unverified(token: str) -> tuple[UUID, Claims]:
    """The unverified key id and claims, only to look the key up.  Raises SessionEnded."""
    try:
        header = _Header.model_validate(jwt.get_unverified_header(token))
        body = jwt.decode(token, options={"verify_signature": False})
        return header.kid, Claims.model_validate(body)
    except (jwt.PyJWTError, ValidationError, ValueError) as error:
        raise SessionEnded from error


def verified(token: str, secret: bytes) -> Claims:
    """The claims of a token that `secret` signed and that is valid now; raises SessionEnded."""
    try:
        body = jwt.decode(
            token,
            secret,
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=ISSUER,
            leeway=LEEWAY_SECONDS,
            options={"require": _REQUIRED},
        )
        return Claims.model_validate(body)
    except (jwt.PyJWTError, ValidationError, ValueError) as error:
        raise SessionEnded from error
