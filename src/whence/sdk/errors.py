"""Errors that a pack raises or catches; the docstring of each is its message."""

from whence.kernel.errors import (
    BudgetExceeded,
    Conflict,
    Invalid,
    Misconfigured,
    NotFound,
    NotReady,
    Unavailable,
    WhenceError,
)

__all__ = [
    "BudgetExceeded",
    "Conflict",
    "Invalid",
    "Misconfigured",
    "NotFound",
    "NotReady",
    "Unavailable",
    "WhenceError",
]
