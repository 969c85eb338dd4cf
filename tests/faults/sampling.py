"""Which of many moments the ordinary suite tries; `make faults` tries them all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def rest_long(moments: Iterable[str], *ordinary: str) -> list[Any]:
    """All moments as parameters; those that are not among `ordinary` are marked `long`."""
    names = list(moments)
    assert set(ordinary) <= set(names), "each one named is a moment"
    return [
        name if name in ordinary else pytest.param(name, marks=pytest.mark.long) for name in names
    ]
