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
    """An outside host did not respond; whence tries again automatically."""


class Throttled(FetchError, Unavailable):
    """An outside host asks for fewer requests; whence tries again automatically."""


class CredentialsRefused(FetchError, Misconfigured):
    """An outside host rejects the credentials (401); check them in the settings."""


class AccessDenied(FetchError, Misconfigured):
    """An outside host denies access (403); ask its operator to grant it."""


class Absent(FetchError, NotFound):
    """This address does not exist on the outside host (404)."""


class RequestRefused(FetchError, Invalid):
    """An outside host rejects the request as invalid; trying again does not help."""


class MalformedBody(FetchError, Invalid):
    """An outside host sent a response that cannot be read."""


class BodyTooLarge(FetchError, Invalid):
    """An outside host sent more data than allowed; all of it was discarded."""


class AddressRefused(FetchError, Invalid):
    """whence may not fetch from this address; use a public https address."""
