"""The state that travels between nodes: small facts and ids; evidence stays in its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

RECORD, PHOTO, CATALOGUE, COMP, FEES = "record", "photo", "catalogue", "comp", "fees"
"""Roles of evidence in a bundle."""


class SourceReport(TypedDict):
    """How one source did in one search."""

    source: str
    offer: str
    query: str
    found: int
    refused: list[str]
    error: str | None


class PhotoReport(TypedDict):
    """What a photograph gave."""

    name: str
    barcodes: list[str]
    text: list[str]
    problem: str | None


class HintState(TypedDict):
    """A missing thing, as `pricing.hints.Hint`."""

    field: str
    importance: str
    question: str | None
    why: str
    effect: float | None
    amount: float | None
    currency: str


class ResearchState(TypedDict):
    """What a node finds; everything is JSON, so that a checkpoint of any age can be read."""

    subject_id: str
    subject_version: int
    as_of: str
    """The moment that ages count from (ISO 8601); one for the whole run, so a resume changes
    nothing."""
    photos: list[PhotoReport]
    seen: dict[str, object]
    """What a vision model saw (`skills.look_at_photos.PhotoFindings`), empty without one."""
    identification: dict[str, object]
    identification_method: str
    identified_at: NotRequired[str]
    """When an earlier run identified the item, which this one took over (ISO 8601)."""
    iteration: int
    queries: list[str]
    sources: list[SourceReport]
    confidence: float
    hints: list[HintState]
    fallbacks: list[str]
    """Every place where a rule stood in for a model that was configured."""
    budget: NotRequired[str]
    """Set only when the run's budget ended it early."""


Update = Mapping[str, object]
"""What a node adds: some keys of `ResearchState`."""
