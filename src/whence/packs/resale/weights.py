"""What an item weighs, as its record states it."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAME = re.compile(r"\b(?:weight|weighs|gewicht|poids|peso)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"(\d+(?:[.,]\d+)?)\s*(kgs?|kilos?|g|grams?|lbs?|pounds?|oz|ounces?)?\b", re.I)
_UNIT_IN_NAME = re.compile(r"\b(kg|g|lbs?|oz)\b", re.IGNORECASE)
_KILOGRAMS = {"k": 1.0, "g": 0.001, "l": 0.4536, "p": 0.4536, "o": 0.02835}
"""By the first letter of the unit."""


def kilograms(attributes: Mapping[str, str]) -> float | None:
    """The weight in an attribute such as `Weight: 13 kg` or `Weight (lb): 28`; None without one."""
    for name, value in attributes.items():
        amount = _AMOUNT.search(value) if _NAME.search(name) else None
        if amount is None:
            continue
        unit = amount[2] or next(iter(_UNIT_IN_NAME.findall(name)), None)
        if unit:
            return float(amount[1].replace(",", ".")) * _KILOGRAMS[unit[0].lower()]
    return None
