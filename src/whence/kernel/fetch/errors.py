"""What can go wrong with an outside host, by what the reader can do about it.

Messages name the host, the path and the fix; never a query, a header or a body, where secrets
live. An adapter that must look closer finds the answer's first bytes in `body`.
"""

from __future__ import annotations

from whence.kernel.errors import Invalid, Misconfigured, NotFound, Unavailable, WhenceError


class FetchError(WhenceError):
    """An outside host could not be used."""

    def __init__(
        self,
        message: str | None = None,
        *,
        host: str = "",
        status: int | None = None,
        body: bytes = b"",
        **context: object,
    ) -> None:
        super().__init__(message, **context)
        self.host = host
        self.status = status
        """HTTP status of the answer; None when there was none."""
        self.body = body
        """The first bytes of the answer, for adapters to tell one refusal from another."""


class HostUnavailable(FetchError, Unavailable):
    """An outside host did not answer; whence tries again by itself."""


class Throttled(FetchError, Unavailable):
    """An outside host asks us to slow down; whence tries again by itself."""


class CredentialsRefused(FetchError, Misconfigured):
    """An outside host does not accept our credentials (401); check them in the settings."""


class AccessDenied(FetchError, Misconfigured):
    """An outside host knows us but does not allow this (403); ask it to grant the access."""


class Absent(FetchError, NotFound):
    """An outside host has nothing at this address (404)."""


class RequestRefused(FetchError, Invalid):
    """An outside host calls our request wrong; trying again does not help."""


class MalformedBody(FetchError, Invalid):
    """An outside host sent an answer that cannot be read."""


class BodyTooLarge(FetchError, Invalid):
    """An outside host sent more than we accept; nothing of it was kept."""


class AddressRefused(FetchError, Invalid):
    """This address is not one whence may fetch from; use a public https address."""
