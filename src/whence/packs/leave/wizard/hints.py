"""How choices are told in the wizard."""

from __future__ import annotations

from whence.sdk.wizards import Hint

YES_NO = {"yes": "Yes", "no": "No", "unknown": "Not known"}


def yes_no(label: str) -> Hint:
    """Yes, no, or not known."""
    return Hint(label=label, widget="radio", labels=YES_NO)
