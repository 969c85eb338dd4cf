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
    baseline_name: str = ""
    baseline: float = 0.0
    target: float | None = None

    def line(self) -> str:
        wanted = ""
        if self.target is not None:
            wanted = f"  (wanted <= {self.target:g}: {'PASS' if self.is_met else 'NOT MET'})"
        line = f"{self.name:<58} {self.value:9.2f} {self.unit}{wanted}"
        if not self.baseline:
            return line
        return (
            f"{line}\n    baseline {self.baseline_name:<45} {self.baseline:9.2f} {self.unit}"
            f"   ratio {self.value / self.baseline:.2f}"
        )

    @property
    def is_met(self) -> bool:
        """Whether the figure is what is wanted; without a target it is."""
        return self.target is None or self.value <= self.target


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The 95th percentile, by the nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]
