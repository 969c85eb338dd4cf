"""Dossiers and evidence as JSON, the same for the API and the command line."""

from __future__ import annotations

from typing import Any

from whence.evidence.dossiers import Dossier
from whence.evidence.records import BundledEvidence


def dossier_json(dossier: Dossier) -> dict[str, Any]:
    """A dossier with its claims, camelCase."""
    return {
        "id": str(dossier.id),
        "jobId": str(dossier.run_id),
        "kind": dossier.kind,
        "subjectId": str(dossier.subject_id),
        "type": dossier.flow,
        "lane": dossier.lane,
        "schemaVersion": dossier.schema_version,
        "current": dossier.is_current,
        "partial": dossier.is_partial,
        "summary": dossier.summary,
        "body": dossier.body,
        "claims": dossier.claims,
        "createdAt": dossier.created_at.isoformat(),
    }


def evidence_json(item: BundledEvidence) -> dict[str, Any]:
    """A piece of evidence with the run's judgement of it, camelCase."""
    evidence, judgement = item.evidence, item.judgement
    return {
        "id": str(evidence.id),
        "role": judgement.role,
        "source": evidence.source,
        "sourceId": evidence.source_id,
        "url": evidence.url,
        "title": evidence.title,
        "content": evidence.content,
        "data": evidence.data,
        "observedAt": evidence.observed_at.isoformat() if evidence.observed_at else None,
        "fetchedAt": evidence.fetched_at.isoformat(),
        "relevance": judgement.relevance,
        "included": judgement.included,
        "reason": judgement.reason,
    }
