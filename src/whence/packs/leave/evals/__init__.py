"""Evaluations that ship with the pack; `EVALUATIONS` is what `whence eval` offers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from whence.sdk import Evaluation

SCENARIOS = Path(__file__).parent / "scenarios"
MESSAGES = Path(__file__).parent / "messages"


def _eligibility(data: Path) -> Mapping[str, float | int | str]:
    from .eligibility import eligibility

    return eligibility(data).figures()


def _requests(data: Path) -> Mapping[str, float | int | str]:
    from .requests import requests

    sets = requests(data)
    rows = {name: report.figures() for name, report in sets.items()}
    return {
        f"{name}: {key}": value for name, counts in rows.items() for key, value in counts.items()
    }


def _questions(data: Path) -> Mapping[str, float | int | str]:
    from .questions import questions

    sets = questions(data)
    return {
        f"{name}: {key}": value
        for name, one in sets.items()
        for key, value in one.figures().items()
    }


EVALUATIONS = (
    Evaluation(
        "questions",
        "Questions of employees and HR, by rules: share answered from the right rule, or refused",
        _questions,
        MESSAGES,
    ),
    Evaluation(
        "requests",
        "Everyday messages, by rules: share that leads to the right proposal, answer or research",
        _requests,
        MESSAGES,
    ),
    Evaluation(
        "eligibility",
        "Written scenarios under FMLA, CFRA and pregnancy disability leave, rule by rule",
        _eligibility,
        sample=SCENARIOS,
    ),
)
