"""The decision: a logistic model over the features, its weights derived by a script.

`scripts/fit_relevance.py` derives `weights.json` from labelled pairs; no weight is set by hand.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

WEIGHTS = Path(__file__).with_name("weights.json")


@dataclass(frozen=True)
class Weights:
    """A linear model on named features, and how its log odds become a probability."""

    generated_by: str
    features: tuple[str, ...]
    weights: tuple[float, ...]
    intercept: float
    kept_at: float
    """Log odds that become a score of 0.5."""
    slope: float
    """Log odds of the score per log odds above `kept_at`; fitted on sets that were left out."""

    def log_odds(self, row: tuple[float, ...]) -> float:
        """Log odds of a match for one row of `FEATURES`."""
        return self.intercept + sum(w * v for w, v in zip(self.weights, row, strict=True))

    def score(self, log_odds: float) -> float:
        """0 to 1, increasing with the log odds; 0.5 at `kept_at`."""
        at = max(-30.0, min(30.0, self.slope * (log_odds - self.kept_at)))
        return 1 / (1 + math.exp(-at))


@cache
def weights() -> Weights:
    """The committed weights."""
    return TypeAdapter(Weights).validate_python(json.loads(WEIGHTS.read_text(encoding="utf-8")))
