"""Every error whence raises on purpose: few, typed, and each names its fix.

The docstring of a class is the message a user reads when nothing more exact is given.
Transports map these types to problem documents in one table (`transports/edge/problems.py`).
"""

from __future__ import annotations

import inspect


class WhenceError(Exception):
    """Something went wrong in whence."""

    def __init__(self, message: str | None = None, **context: object) -> None:
        self.message = message or " ".join((inspect.getdoc(type(self)) or "").split())
        self.context = context
        super().__init__(self.message)


class Invalid(WhenceError):
    """The input is not valid; correct the named fields and send it again."""


class NotFound(WhenceError):
    """There is no such thing here, or you may not see it."""


class Conflict(WhenceError):
    """The thing changed meanwhile; read it again and repeat."""


class Unauthorized(WhenceError):
    """Sign in or send a valid API token (`Authorization: Bearer ...`)."""


class Forbidden(WhenceError):
    """Your role or token scope does not allow this."""


class NotReady(WhenceError):
    """Item not ready for research."""


class Unavailable(WhenceError):
    """An outside system did not answer; whence tries again by itself."""

    def __init__(
        self, message: str | None = None, *, retry_after: float | None = None, **context: object
    ) -> None:
        super().__init__(message, **context)
        self.retry_after = retry_after
        self.tries = 1
        """How often it was tried before this was raised."""


class TooMany(WhenceError):
    """Too many tries or requests; wait a moment and try again."""

    def __init__(
        self, message: str | None = None, *, retry_after: float, **context: object
    ) -> None:
        """`retry_after`: seconds after which to try again."""
        super().__init__(message, **context)
        self.retry_after = retry_after


class Misconfigured(WhenceError):
    """A setting is missing or wrong; `whence doctor` says which."""


class BudgetExceeded(WhenceError):
    """The run reached its budget; what was found so far is kept."""


class StaleAttempt(WhenceError):
    """Another worker has taken this run over; this attempt stops here."""
