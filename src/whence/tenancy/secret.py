"""Secrets that whence issues, and the only form in which the database stores them."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

SECRET_BYTES = 32
"""256 bits: beyond guessing, so that a plain SHA-256 is enough to store them."""
REVOCATIONS = "whence_revocations"
"""The channel that announces every revocation; the payload is the user's id."""
ENTER = text("SELECT set_config('whence.org_id', :org, true)")
"""A presented secret identifies the tenant; the rest of its transaction works for that tenant."""
REVOKED = text("SELECT pg_notify('whence_revocations', :user)")
_PRESENT = text("SELECT set_config(:name, :hash, true)")


def new_secret(prefix: str) -> str:
    """A secret of 256 random bits; people recognise it by its `prefix`."""
    return prefix + secrets.token_urlsafe(SECRET_BYTES)


def hashed(secret: str) -> bytes:
    """The SHA-256 of any text, even if it is not a secret of ours."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()


async def present(session: AsyncSession, setting: str, digest: bytes) -> None:
    """Make a secret's hash visible to the policy that reads `setting`, for this transaction."""
    await session.execute(_PRESENT, {"name": setting, "hash": digest.hex()})
