"""How far a run is, in per cent, by the shares that its flow declares for its nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from whence.research.tables import RunStep

UNFINISHED = 99
"""What a run shows at most before it has ended: what follows its last node is work too."""
Turn = tuple[int, str | None]
"""A node's place in the flow and its branch there."""


class ProgressMeter:
    """Counts the turns of each node that are done, among those that are known to come."""

    def __init__(self, shares: Mapping[str, float], steps: Iterable[RunStep] = ()) -> None:
        """`steps`: those of earlier attempts."""
        self._shares = shares
        self._known: defaultdict[str, set[Turn]] = defaultdict(set)
        self._done: defaultdict[str, set[Turn]] = defaultdict(set)
        for step in steps:
            if step.status == "success":
                self.plan(step.node, step.place, step.branch)
                self.finish(step.node, step.place, step.branch)

    def plan(self, node: str, place: int, branch: str | None) -> None:
        """This turn comes, now or when there is room for it."""
        self._known[node].add((place, branch))

    def finish(self, node: str, place: int, branch: str | None) -> None:
        """This turn is done."""
        self._done[node].add((place, branch))

    @property
    def percent(self) -> int | None:
        """0 to 99; None where the flow declares no shares."""
        if not (whole := sum(self._shares.values())):
            return None
        done = sum(
            share * len(self._done[node]) / len(self._known[node])
            for node, share in self._shares.items()
            if self._known[node]
        )
        return min(UNFINISHED, int(100 * done / whole))
