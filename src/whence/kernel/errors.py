"""All errors that whence raises on purpose: few, typed, and each names its fix.

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
    """This does not exist here, or you may not see it."""


class Conflict(WhenceError):
    """This was changed in the meantime; read it again and repeat the request."""


class Unauthorized(WhenceError):
    """Sign in, or send a valid API token (`Authorization: Bearer ...`)."""


class Forbidden(WhenceError):
    """Your role or token scope does not allow this."""


class NotReady(WhenceError):
    """Item not ready for research."""


class Settled(NotReady):
    """This record needs no research in its state; request it with `anyway` nevertheless."""


class Unavailable(WhenceError):
    """An outside system did not respond; whence tries again automatically."""

    def __init__(
        self, message: str | None = None, *, retry_after: float | None = None, **context: object
    ) -> None:
        super().__init__(message, **context)
        self.retry_after = retry_after
        self.attempts = 1
        """How often the call was tried before this was raised."""


class TooMany(WhenceError):
    """Too many attempts or requests; wait a moment and try again."""

    def __init__(
        self, message: str | None = None, *, retry_after: float, **context: object
    ) -> None:
        """`retry_after`: seconds after which to try again."""
        super().__init__(message, **context)
        self.retry_after = retry_after


class Misconfigured(WhenceError):
    """A setting is missing or invalid; `whence doctor` shows which one."""


class BudgetExceeded(WhenceError):
    """The run has used up its budget; its results so far are kept."""


class StaleAttempt(WhenceError):
    """Another worker has taken over this run; this attempt stops."""
