"""What a node declares about itself: how long it may take, and how often it is tried."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_ATTRIBUTE = "__whence_node__"
N = TypeVar("N", bound=Callable[..., Awaitable[Any]])


@dataclass(frozen=True)
class NodeLimits:
    """The limits of one turn of a node."""

    seconds: float = math.inf
    """What one try may take, beside the budget of the run."""
    attempts: int = 1
    """Tries before the attempt at the run ends with the node's error."""


def node(*, seconds: float = math.inf, attempts: int = 1) -> Callable[[N], N]:
    """Declare a node's limits: `@node(seconds=60, attempts=2)`.

    A node is tried again after an unexpected error and after `seconds`.  An outside system that is
    away, a question and a used-up budget end the attempt at once, as without it.
    """
    if not seconds > 0 or attempts < 1:
        raise ValueError("A node needs some time and at least one attempt.")

    def declare(function: N) -> N:
        setattr(function, _ATTRIBUTE, NodeLimits(seconds, attempts))
        return function

    return declare


def limits_of(function: object) -> NodeLimits:
    """What a node declares; no limits of its own otherwise."""
    limits = getattr(function, _ATTRIBUTE, None)
    return limits if isinstance(limits, NodeLimits) else NodeLimits()
