"""Why a run ends before its flow is through; apart from `early`, which knows flows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EndedEarly:
    """Why a run ends early, in words, and the nodes that it did not do or finish, in order."""

    reason: str
    nodes: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What was not done, for a flow that has no better words for its nodes."""
        return (self.reason, *(f"{node} was not done" for node in self.nodes))
