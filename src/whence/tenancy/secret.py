"""Secrets that whence hands out, and the only form in which the database keeps them."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

SECRET_BYTES = 32
"""256 bits: far beyond guessing, so that a plain SHA-256 is enough to keep them."""
REVOCATIONS = "whence_revocations"
"""The channel on which every revocation is told; its payload is the user's id."""
ENTER = text("SELECT set_config('whence.org_id', :org, true)")
"""A presented secret names the tenant; the rest of its transaction works for that one."""
REVOKED = text("SELECT pg_notify('whence_revocations', :user)")
_PRESENT = text("SELECT set_config(:name, :hash, true)")


def new_secret(prefix: str) -> str:
    """A secret of 256 random bits that begins with `prefix`, so that people recognise it."""
    return prefix + secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> bytes:
    """The SHA-256 of any text, also of one that is no secret of ours."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


async def present(session: AsyncSession, setting: str, digest: bytes) -> None:
    """Show a secret's hash to the policy that reads `setting`, for this transaction."""
    await session.execute(_PRESENT, {"name": setting, "hash": digest.hex()})
