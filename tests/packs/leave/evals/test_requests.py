"""Everyday messages about a leave request lead to what their writers want, by rules."""

from __future__ import annotations

import pytest

from whence.packs.leave.evals import MESSAGES
from whence.packs.leave.evals.requests import requests

LEAST_RIGHT = 0.9
"""Share of messages that lead to the right proposal, answer or research without a model."""


@pytest.mark.parametrize(
    ("name", "n"),
    [("tuning", 40), ("fresh", 24), ("second", 24), ("third", 13), ("fourth", 13), ("fifth", 25)],
)
def test_everyday_messages_lead_to_what_their_writers_want(name: str, n: int) -> None:
    report = requests(MESSAGES)[name]
    assert report.n == n
    assert report.right / n >= LEAST_RIGHT, report.figures()
