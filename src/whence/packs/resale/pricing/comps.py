"""A comparable (comp): a listing as evidence for the item's price."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from whence.packs.resale.records import Condition, Listing, ListingStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Comp:
    """One listing as price evidence. Amounts in `currency`; dates in UTC; relevance 0 to 1."""

    evidence_id: UUID | str
    price: float | None
    shipping: float | None = None
    """Paid by the buyer on top of the price; None if unknown, 0 if free."""
    currency: str = "USD"
    condition: Condition | None = None
    status: ListingStatus = ListingStatus.UNKNOWN
    listed_at: datetime | None = None
    closed_at: datetime | None = None
    """When it sold, or ended unsold."""
    relevance: float = 1.0
    source: str = "library"

    @property
    def date(self) -> datetime | None:
        """The date of its price: the sale or the end, else the day it was listed."""
        return self.closed_at or self.listed_at

    def age_days(self, now: datetime) -> float | None:
        """Days since `date` (a date without a zone is read as UTC; the future counts as today)."""
        return None if self.date is None else _days(self.date, now)

    def calendar_days(self, now: datetime) -> int | None:
        """Whole days between the dates (UTC), the same all day long."""
        return (
            None if self.date is None else max(0, (_utc(now).date() - _utc(self.date).date()).days)
        )

    def listed_days(self, now: datetime) -> float | None:
        """Days since it was listed, by the rules of `age_days`."""
        return None if self.listed_at is None else _days(self.listed_at, now)

    @property
    def total(self) -> float | None:
        """The buyer's total, including shipping if it is known."""
        return None if self.price is None else self.price + (self.shipping or 0.0)

    @classmethod
    def from_listing(cls, evidence_id: UUID | str, listing: Listing, relevance: float) -> Comp:
        """A comp from a stored listing and its scored relevance."""
        return cls(
            evidence_id=evidence_id,
            price=listing.price,
            shipping=listing.shipping,
            currency=listing.currency,
            condition=listing.condition,
            status=listing.status,
            listed_at=listing.listed_at,
            closed_at=listing.sold_at,
            relevance=relevance,
            source=listing.source,
        )


def _days(since: datetime, now: datetime) -> float:
    return max(0.0, (_utc(now) - _utc(since)).total_seconds() / 86_400)


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
