"""Evaluations that ship with the pack; `EVALUATIONS` is what `whence eval` offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from whence.sdk import Evaluation

Figures = Mapping[str, float | int | str]


def _relevance(data: Path) -> Figures:
    from .relevance import relevance

    return asdict(relevance(data))


def _pricing(data: Path) -> Figures:
    from .pricing import pricing

    return asdict(pricing(data))


def _barcodes(data: Path) -> Figures:
    from .barcodes import barcodes

    return barcodes(data).figures()


EVALUATIONS = (
    Evaluation("relevance", "Which listings are the item: F1 over labelled pairs", _relevance),
    Evaluation("pricing", "How far the target price is from the item's own", _pricing),
    Evaluation("barcodes", "Barcodes on photographs: read right, wrong, not at all", _barcodes),
)
