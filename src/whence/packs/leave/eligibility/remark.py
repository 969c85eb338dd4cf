"""A sentence to bear in mind beside eligibility, amounts and dates."""

from __future__ import annotations

from dataclasses import dataclass

from .book import Provision


@dataclass(frozen=True)
class Remark:
    """A sentence to bear in mind, and the provision that it comes from."""

    text: str
    provision: Provision
