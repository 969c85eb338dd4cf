"""Evaluations that ship with the pack; `EVALUATIONS` is what `whence eval` offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from whence.sdk import Evaluation

SAMPLE = Path(__file__).parent.parent / "sample"
Figures = Mapping[str, float | int | str]


def _relevance(data: Path) -> Figures:
    from .relevance import relevance

    return asdict(relevance(data))


def _pricing(data: Path) -> Figures:
    from .pricing import pricing

    return pricing(data).figures()


def _barcodes(data: Path) -> Figures:
    from .barcodes import barcodes

    return barcodes(data).figures()


def _intents(data: Path) -> Figures:
    from .messages import intents

    sets = intents(data)
    rows = {name: report.figures() for name, report in sets.items()}
    return {
        f"{name}: {key}": value for name, counts in rows.items() for key, value in counts.items()
    }


def _answers(data: Path) -> Figures:
    from .answers import answers

    return asdict(answers(data))


def _requests(data: Path) -> Figures:
    from .requests import requests

    sets = requests(data)
    rows = {name: report.figures() for name, report in sets.items()}
    return {
        f"{name}: {key}": value for name, counts in rows.items() for key, value in counts.items()
    }


def _identity(data: Path) -> Figures:
    from .identity import identity

    return identity(data).figures()


EVALUATIONS = (
    Evaluation(
        "requests",
        "Everyday messages, by rules: share that leads to the right proposal, answer or research",
        _requests,
        SAMPLE,
    ),
    Evaluation(
        "relevance", "Recognition of an item's listings: F1 over labelled pairs", _relevance
    ),
    Evaluation(
        "identity",
        "Brand and model concluded by rules: right, wrong, or invented",
        _identity,
        SAMPLE,
    ),
    Evaluation("pricing", "Error of the target price, compared with the item's own", _pricing),
    Evaluation(
        "barcodes", "Barcodes on photographs: read correctly, wrongly, or not at all", _barcodes
    ),
    Evaluation(
        "intents", "Intents of messages, by rules: share detected correctly", _intents, SAMPLE
    ),
    Evaluation(
        "answers", "Answers by rules: every sentence checked against its sources", _answers, SAMPLE
    ),
)
