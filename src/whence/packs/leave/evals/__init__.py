"""Evaluations that ship with the pack; `EVALUATIONS` is what `whence eval` offers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.sdk import Evaluation

SCENARIOS = Path(__file__).parent / "scenarios"


def _eligibility(data: Path) -> Mapping[str, float | int | str]:
    from .eligibility import eligibility

    return eligibility(data).figures()


EVALUATIONS = (
    Evaluation(
        "eligibility",
        "Written scenarios under FMLA, CFRA and pregnancy disability leave, rule by rule",
        _eligibility,
        sample=SCENARIOS,
    ),
)
