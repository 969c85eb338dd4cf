"""The typed fields of a piece of evidence, for clients that know no source."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from whence.sdk.evidence import BundledEvidence, EvidenceFacts

from .flows.state import AI_ANALYSIS, CATALOGUE, COMP, FEES, PHOTO
from .records import ListingStatus

OWNER_ANSWER = "answer"
"""The source of an owner's answer to a question."""
TYPES = {
    CATALOGUE: "catalogue_entry",
    PHOTO: "photograph",
    AI_ANALYSIS: "ai_analysis",
    FEES: "marketplace_fees",
}
LISTING_TYPES = {
    ListingStatus.SOLD: "sold_listing",
    ListingStatus.ACTIVE: "active_listing",
    ListingStatus.ENDED: "ended_listing",
    ListingStatus.UNKNOWN: "listing",
}


def facts(row: BundledEvidence) -> EvidenceFacts:
    """A listing's price, date, condition and picture; the type of everything else."""
    evidence, role = row.evidence, row.judgement.role
    data: dict[str, Any] = evidence.data
    if role != COMP:
        other = "owner_answer" if evidence.source == OWNER_ANSWER else "record"
        return EvidenceFacts(
            type=TYPES.get(role, other),
            condition=data.get("condition") if other == "record" and role not in TYPES else None,
            image_url=evidence.url if role == PHOTO else None,
        )
    status = ListingStatus(data["status"])
    sold_at: str | None = data.get("sold_at") if status is ListingStatus.SOLD else None
    return EvidenceFacts(
        type=LISTING_TYPES[status],
        price=data.get("price"),
        currency=data.get("currency"),
        sold_at=datetime.fromisoformat(sold_at) if sold_at else None,
        condition=data.get("condition"),
        image_url=data.get("image_url"),
    )
