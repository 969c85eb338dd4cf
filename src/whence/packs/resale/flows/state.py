"""The state passed between nodes: small facts and ids; evidence stays in its tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NotRequired, TypedDict

RECORD, PHOTO, CATALOGUE, COMP, FEES = "record", "photo", "catalogue", "comp", "fees"
AI_ANALYSIS = "ai_analysis"
"""Roles of evidence in a bundle."""


class SourceReport(TypedDict):
    """The result of one source in one search."""

    source: str
    offer: str
    query: str
    found: int
    refused: list[str]
    error: str | None
    gtin: NotRequired[str | None]
    """The GTIN-14 of a query without words."""
    total: NotRequired[int | None]
    """How many listings the source says it has for the query."""
    limit: NotRequired[int]
    """How many were requested."""
    attempt: NotRequired[int]
    """The attempt at the run in which the source was asked."""
    is_away: NotRequired[bool]
    """Whether the source did not answer, so that asking again may help."""
    retry_after: NotRequired[float | None]
    """Seconds after which the source wants to be asked again."""
    is_given_up: NotRequired[bool]
    """Whether the run no longer waits for the source."""


class PhotoReport(TypedDict):
    """The findings of a photograph."""

    name: str
    barcodes: list[str]
    text: list[str]
    problem: str | None


class HintState(TypedDict):
    """Missing information, like `pricing.hints.Hint`."""

    field: str
    importance: str
    question: str | None
    why: str
    effect: float | None
    amount: float | None
    currency: str


class ResearchState(TypedDict):
    """The findings of the nodes, all JSON, so that a checkpoint of any age can be read."""

    subject_id: str
    subject_version: int
    as_of: str
    """The time that ages are counted from (ISO 8601); fixed for the whole run, so that a resume
    changes nothing."""
    photos: list[PhotoReport]
    seen: dict[str, object]
    """What a vision model saw (`skills.look_at_photos.PhotoFindings`), empty without one."""
    identification: dict[str, object]
    identification_method: str
    identified_at: NotRequired[str]
    """When an earlier run identified the item, which this one took over (ISO 8601)."""
    iteration: int
    queries: list[str]
    next_queries: NotRequired[list[str]]
    """What the next search asks; empty if none is worthwhile."""
    sources: list[SourceReport]
    confidence: float
    hints: list[HintState]
    fallbacks: list[str]
    """Every place where a rule replaced a configured model."""
    budget: NotRequired[str]
    """Set only when the run's budget ended it early."""


Update = Mapping[str, object]
"""A node's update: some keys of `ResearchState`."""
