"""Refresh secrets: how they are made and rotated, and what a used one means.

A secret has two parts.  The *family* stays the same for the life of a session and identifies its
row; the *turn* changes with every refresh.  The next turn is derived from the current one and a
nonce kept in the database, so that a repeated request gets the very same successor, while the
database alone can create none.  A family with an old turn means that a used secret was copied: then
somebody else has one too, and the session ends.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

GRACE = timedelta(seconds=10)
"""How long a used secret still gets its successor: two tabs may refresh at once, or a response may
be lost and requested again.  A thief gains little: the second of the two users after this time ends
the session."""
PREFIX = "whr_"
FAMILY_BYTES = 16
TURN_BYTES = 32
_PARTS = 2


@dataclass(frozen=True)
class Refresh:
    """A refresh secret in its two parts."""

    family: str
    turn: str

    def __str__(self) -> str:
        return f"{PREFIX}{self.family}.{self.turn}"

    @classmethod
    def new(cls) -> Refresh:
        """The first secret of a session."""
        return cls(secrets.token_urlsafe(FAMILY_BYTES), secrets.token_urlsafe(TURN_BYTES))

    @classmethod
    def parsed(cls, text: str) -> Refresh | None:
        """Parse a secret; None for anything that was never one."""
        parts = text.removeprefix(PREFIX).split(".")
        if not text.startswith(PREFIX) or len(parts) != _PARTS or not all(parts):
            return None
        return cls(*parts)

    def after(self, nonce: bytes) -> Refresh:
        """The secret after this one."""
        key = self.turn.encode(errors="surrogatepass")
        digest = hmac.new(key, nonce, hashlib.sha256).digest()
        return Refresh(self.family, base64.urlsafe_b64encode(digest).decode().rstrip("="))


@dataclass(frozen=True)
class Turns:
    """The database's state of a session's secrets."""

    current: bytes
    previous: bytes | None
    rotated_at: datetime | None
    ends_at: datetime
    ended_at: datetime | None


class Verdict(StrEnum):
    """What to do with a presented secret."""

    ROTATE = "rotate"
    """Current: respond with its successor."""
    KEEP = "keep"
    """Current, and so recent that the response does not rotate it again: so the previous one is
    never more than one turn behind during its grace period."""
    REPEAT = "repeat"
    """Rotated just now: respond with the same successor again."""
    REUSED = "reused"
    """Used before: end the session."""
    ENDED = "ended"
    """The session has already ended."""


def judged(turns: Turns, presented: bytes, at: datetime) -> Verdict:
    """The status of a secret with this hash, at this time."""
    if turns.ended_at is not None or turns.ends_at <= at:
        return Verdict.ENDED
    is_young = turns.rotated_at is not None and at - turns.rotated_at < GRACE
    if hmac.compare_digest(presented, turns.current):
        return Verdict.KEEP if is_young else Verdict.ROTATE
    if turns.previous is not None and hmac.compare_digest(presented, turns.previous) and is_young:
        return Verdict.REPEAT
    return Verdict.REUSED
