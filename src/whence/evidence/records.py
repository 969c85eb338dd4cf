"""Evidence as values: findings, judgements of them, and conclusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from whence.kernel.errors import WhenceError
from whence.kernel.text import digest


class UncitedClaim(WhenceError):
    """A conclusion needs evidence; without any, report it as missing or as not enough evidence."""


@dataclass(frozen=True)
class Finding:
    """A finding from outside before it is stored: immutable and addressed by its content."""

    source: str
    source_id: str
    title: str
    content: str
    data: Mapping[str, Any]
    """The typed fields of the finding as JSON; figures are recomputed from these."""
    url: str | None = None
    observed_at: datetime | None = None
    """When it was true (such as the date of a sale), if the source says so."""

    @property
    def content_hash(self) -> str:
        """SHA-256 of everything except source and source id: the same finding twice is one row."""
        return digest(
            {
                "title": self.title,
                "content": self.content,
                "url": self.url,
                "data": dict(self.data),
                "observed": self.observed_at.isoformat() if self.observed_at else None,
            }
        )


@dataclass(frozen=True)
class Evidence:
    """A stored finding."""

    id: UUID
    source: str
    source_id: str
    url: str | None
    title: str
    content: str
    data: dict[str, Any]
    observed_at: datetime | None
    fetched_at: datetime


@dataclass(frozen=True)
class Judgement:
    """One run's judgement of one piece of evidence; excluded evidence stays visible with its
    reason."""

    evidence_id: UUID
    role: str
    included: bool
    reason: str
    relevance: float | None = None
    """0 to 1, if the role has a relevance."""


@dataclass(frozen=True)
class BundledEvidence:
    """Evidence together with the run's judgement of it."""

    evidence: Evidence
    judgement: Judgement


class Verdict(StrEnum):
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    """A quote is not in its evidence, or a figure does not follow from it."""


@dataclass(frozen=True)
class Cite:
    """A citation of evidence by a claim; a quote must occur there verbatim."""

    evidence_id: UUID
    quote: str | None = None


@dataclass(frozen=True)
class Figure:
    """How to recompute a figure: a named function over the cited evidence, and its parameters."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)


Recompute = Callable[[Sequence[BundledEvidence], Mapping[str, Any]], Any]
"""Maps the cited evidence, as stored, and the figure's parameters to the figure's value."""


@dataclass(frozen=True)
class ClaimDraft:
    """One conclusion: a path into the dossier, its value and its citations."""

    path: str
    statement: str
    value: Any
    confidence: float
    method: str
    """`rules:<name>@<version>` or `model:<model>/<skill>@<prompt version>`."""
    cites: tuple[Cite, ...]
    figure: Figure | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        if not self.cites:
            raise UncitedClaim(f"The claim '{self.path}' cites no evidence.")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence of '{self.path}' is {self.confidence}, not 0 to 1")


@dataclass(frozen=True)
class DossierDraft:
    """The conclusions of a run, before they are checked and saved."""

    schema_version: int
    summary: str
    body: Mapping[str, Any]
    claims: tuple[ClaimDraft, ...]
    partial: bool = False
    not_done: tuple[str, ...] = ()
    """What an incomplete run did not do, in words; if it ended early and this is empty, the engine
    fills it in."""
    is_whole: bool = True
    """False for a type of run that covers only a part; the engine fills it in."""

    def __post_init__(self) -> None:
        check_paths(self.claims)


@dataclass(frozen=True)
class SectionDraft:
    """One part of a dossier, saved as soon as it is done; its claims' paths lead into its body."""

    name: str
    """The name among the dossier's sections, such as `timeline`."""
    title: str
    summary: str
    body: Mapping[str, Any]
    claims: tuple[ClaimDraft, ...] = ()

    def __post_init__(self) -> None:
        check_paths(self.claims)


def check_paths(claims: Sequence[ClaimDraft]) -> None:
    """Raises ValueError if two claims have the same path."""
    counts = Counter(claim.path for claim in claims)
    if duplicates := sorted(path for path, number in counts.items() if number > 1):
        raise ValueError(f"two claims stand at the path '{duplicates[0]}'")
