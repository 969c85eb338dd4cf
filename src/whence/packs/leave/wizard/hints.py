"""How choices are told in the wizard."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from whence.sdk.wizards import Hint

C = TypeVar("C", bound=StrEnum | str)
YES_NO = {"yes": "Yes", "no": "No", "unknown": "Not known"}


def yes_no(label: str) -> Hint:
    """Yes, no, or not known."""
    return Hint(label=label, widget="radio", labels=YES_NO)


def choice_labels(of: Mapping[C, str]) -> dict[str, str]:
    """Choices with a capital letter, as labels begin."""
    return {str(key): f"{words[:1].upper()}{words[1:]}" for key, words in of.items()}
