"""Passwords: which are accepted, and how they are hashed (argon2id, RFC 9106).

The digest is computed here, by argon2-cffi's `PasswordHasher`, and compared in the database, which
never returns one (ADR 0012), so the hasher's own `verify` is not used.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import unicodedata
from base64 import b64decode
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from argon2 import PasswordHasher, Type
from argon2.profiles import RFC_9106_LOW_MEMORY as RECOMMENDED

from whence.kernel.errors import Invalid, Unavailable
from whence.tenancy.common_passwords import COMMON

MIN_LENGTH = 10
"""Characters.  NIST SP 800-63B (3.1.1.2) requires at least 8; ten are still easy to remember."""
MAX_LENGTH = 200
"""Characters.  NIST asks to accept at least 64; the cap limits what one request makes us hash."""
MOST_AT_ONCE = 2
"""Hashes computed at once in a process: 64 MiB each, and the other cores stay free."""
MOST_WAITING = 64
"""Hashes that may queue; at a tenth of a second each, the last one waits some seconds."""
SALT_BYTES = 16
"""RFC 9106, section 3.1, recommends 16 bytes for password hashing."""


@dataclass(frozen=True)
class Parameters:
    """Parameters of argon2id: passes, memory in KiB, lanes, length of the digest in bytes."""

    passes: int
    memory: int
    lanes: int
    length: int = 32

    def __str__(self) -> str:
        return f"argon2id$t={self.passes},m={self.memory},p={self.lanes},l={self.length}"

    @classmethod
    def parsed(cls, text: str) -> Parameters:
        """Parse the parameters from the form `str` writes."""
        parts = dict(part.split("=") for part in text.partition("$")[2].split(","))
        return cls(*(int(parts[name]) for name in "tmpl"))


PARAMETERS = Parameters(
    RECOMMENDED.time_cost, RECOMMENDED.memory_cost, RECOMMENDED.parallelism, RECOMMENDED.hash_len
)
"""The second recommended option of RFC 9106 (section 4), for when 2 GiB a hash are too much."""


@dataclass(frozen=True)
class Hashed:
    """A password in the form the database stores."""

    salt: bytes
    parameters: Parameters
    digest: bytes


class WeakPassword(Invalid):
    """This password is too easy to guess; choose a longer one that nobody else uses."""


class HashingBusy(Unavailable):
    """Too many people are signing in at the same time; try again in a few seconds."""


_threads = ThreadPoolExecutor(MOST_AT_ONCE, thread_name_prefix="argon2")
_places = threading.BoundedSemaphore(MOST_AT_ONCE + MOST_WAITING)


def checked(password: str, *, names: Iterable[str] = ()) -> str:
    """The normalised password if it is acceptable; otherwise raises WeakPassword with the reason.

    It checks the length and a list of common passwords, without rules of composition (NIST SP
    800-63B, 3.1.1.2).  `names`: the account's e-mail and organizations, which attackers guess
    first.
    """
    normal = normalised(password)
    if not MIN_LENGTH <= len(normal) <= MAX_LENGTH:
        raise WeakPassword(f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters.")
    plain = _letters(normal)
    if plain in COMMON or len(set(plain)) < 3:
        raise WeakPassword("This password is too common; choose another one.")
    guesses = {_letters(part) for name in names for part in (name, *name.split("@"))}
    if plain in guesses:
        raise WeakPassword(
            "Do not use your e-mail or organization as a password; choose another one."
        )
    return normal


def normalised(password: str) -> str:
    """The text in form NFKC, so that it is the same from every keyboard (NIST SP 800-63B)."""
    return unicodedata.normalize("NFKC", password)


async def hashed(
    password: str, salt: bytes | None = None, parameters: Parameters | None = None
) -> Hashed:
    """The password's hash, computed in a thread; by default with a new salt and `PARAMETERS`.

    Raises HashingBusy if too many are queued.  A text longer than any password is cut, so that it
    costs no more than one.
    """
    salt, parameters = salt or secrets.token_bytes(SALT_BYTES), parameters or PARAMETERS
    text = normalised(password)[: MAX_LENGTH + 1].encode(errors="surrogatepass")

    hasher = PasswordHasher(
        parameters.passes, parameters.memory, parameters.lanes, parameters.length, type=Type.ID
    )

    def work() -> bytes:
        return _digest(hasher.hash(text, salt=salt))

    if not _places.acquire(blocking=False):
        raise HashingBusy(retry_after=5)
    future = _threads.submit(work)
    future.add_done_callback(lambda _: _places.release())
    return Hashed(salt, parameters, await asyncio.wrap_future(future))


def needs_rehash(hashed: Hashed) -> bool:
    """Whether a password was hashed with outdated parameters."""
    return hashed.parameters != PARAMETERS


def _digest(encoded: str) -> bytes:
    """The digest: the last part of `$argon2id$...$salt$digest`, base64 without padding."""
    digest = encoded.rpartition("$")[2]
    return b64decode(digest + "=" * (-len(digest) % 4))


def _letters(text: str) -> str:
    return "".join(text.casefold().split())
