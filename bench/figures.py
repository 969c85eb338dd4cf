"""How figures are taken and printed."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measurement (milliseconds unless the name says otherwise) beside its baseline."""

    name: str
    value: float
    unit: str
    baseline_name: str
    baseline: float
    target: float | None = None

    def line(self) -> str:
        ratio = self.value / self.baseline if self.baseline else float("nan")
        wanted = "" if self.target is None else f"  (wanted <= {self.target:g})"
        return (
            f"{self.name:<58} {self.value:9.2f} {self.unit}{wanted}\n"
            f"    baseline {self.baseline_name:<45} {self.baseline:9.2f} {self.unit}"
            f"   ratio {ratio:.2f}"
        )


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by the nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]
