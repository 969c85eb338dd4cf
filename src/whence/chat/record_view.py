"""What a turn knows about its record: the record and its research, as of now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import BaseModel

from whence.evidence.records import BundledEvidence
from whence.evidence.wire import ClaimAnswer, DossierAnswer
from whence.records.kind import SubjectKind


@dataclass(frozen=True)
class PastRun:
    """A past run of the record."""

    run_id: UUID
    status: str
    asked_at: datetime
    ended_at: datetime | None
    summary: str | None


@dataclass(frozen=True)
class RecordView:
    """The record, its current dossier with the evidence, and its past; read in one transaction."""

    kind: SubjectKind
    subject_id: UUID
    version: int
    record: BaseModel
    """As the pack's typed record class."""
    shown: Mapping[str, Any]
    """The record's fields as JSON, as on the wire."""
    dossier: DossierAnswer | None
    evidence: Sequence[BundledEvidence]
    """The evidence of the current dossier's run: included pieces first, then by relevance."""
    history: Sequence[PastRun]
    """Newest first, at most ten."""
    changed_since: bool
    """Whether the record changed after the current dossier was researched."""
    at: datetime
    before: DossierAnswer | None = None
    """The previous dossier; loaded only for questions about what changed."""

    def claim(self, path: str) -> ClaimAnswer | None:
        """The current dossier's claim at this path."""
        claims = self.dossier.claims if self.dossier else ()
        return next((claim for claim in claims if claim.path == path), None)

    def claims(self, under: str) -> list[ClaimAnswer]:
        """The claims at this path and below it."""
        claims = self.dossier.claims if self.dossier else ()
        return [
            c for c in claims if c.path == under or c.path.startswith((f"{under}.", f"{under}["))
        ]
