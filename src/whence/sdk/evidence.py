"""Evidence, judgements, and dossiers of claims that are checked against their evidence."""

from whence.evidence.pictures import EvidencePictures
from whence.evidence.records import (
    BundledEvidence,
    Cite,
    ClaimDraft,
    DossierDraft,
    Figure,
    Finding,
    Judgement,
    SectionDraft,
)
from whence.evidence.records import Evidence as EvidenceRecord
from whence.evidence.wire import ClaimAnswer, DossierAnswer, EvidenceFacts

__all__ = [
    "BundledEvidence",
    "Cite",
    "ClaimAnswer",
    "ClaimDraft",
    "DossierAnswer",
    "DossierDraft",
    "EvidenceFacts",
    "EvidencePictures",
    "EvidenceRecord",
    "Figure",
    "Finding",
    "Judgement",
    "SectionDraft",
]
