"""Refresh secrets: how they are made, how they follow each other, and what an old one means.

A secret has two parts.  The *family* stays the same for the life of a session and finds its row;
the *turn* changes with every refresh.  The next turn is derived from the present one and a nonce
that the database keeps, so that a repeated request gets the very same successor, while the
database alone can make none.  Whoever shows a family with a turn that is over has a copy of a
secret that was used: then somebody else has one too, and the session ends.
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
"""How long a used secret is still answered, with the same successor: two tabs that refresh at once,
or a reply that was lost and is asked for again.  A thief gains nothing by it for long: whoever of
the two comes second after it ends the session."""
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
        """The parts of what was sent, None for what never was one."""
        parts = text.removeprefix(PREFIX).split(".")
        if not text.startswith(PREFIX) or len(parts) != _PARTS or not all(parts):
            return None
        return cls(*parts)

    def after(self, nonce: bytes) -> Refresh:
        """The secret that follows this one."""
        key = self.turn.encode(errors="surrogatepass")
        digest = hmac.new(key, nonce, hashlib.sha256).digest()
        return Refresh(self.family, base64.urlsafe_b64encode(digest).decode().rstrip("="))


@dataclass(frozen=True)
class Turns:
    """What the database knows of a session's secrets."""

    current: bytes
    previous: bytes | None
    rotated_at: datetime | None
    ends_at: datetime
    ended_at: datetime | None


class Verdict(StrEnum):
    """What to do with a presented secret."""

    ROTATE = "rotate"
    """It is the current one: answer with its successor."""
    KEEP = "keep"
    """It is the current one, and so young that it is answered without another rotation: so that
    the one before it is never more than one turn behind while its grace lasts."""
    REPEAT = "repeat"
    """It was rotated just now: answer with the same successor again."""
    REUSED = "reused"
    """It was used before: end the session."""
    ENDED = "ended"
    """The session is over anyway."""


def judged(turns: Turns, presented: bytes, at: datetime) -> Verdict:
    """What a secret with this hash is, at this time."""
    if turns.ended_at is not None or turns.ends_at <= at:
        return Verdict.ENDED
    is_young = turns.rotated_at is not None and at - turns.rotated_at < GRACE
    if hmac.compare_digest(presented, turns.current):
        return Verdict.KEEP if is_young else Verdict.ROTATE
    if turns.previous is not None and hmac.compare_digest(presented, turns.previous) and is_young:
        return Verdict.REPEAT
    return Verdict.REUSED
