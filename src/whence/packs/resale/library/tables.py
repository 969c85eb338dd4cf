"""The table of items."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Float
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from whence.sdk.records import CarriesFiles, SubjectRow


class ItemRow(CarriesFiles, SubjectRow):
    """A column for every field of `Item`; stored photographs are attachments."""

    __tablename__ = "items"
    __table_args__ = {"schema": "resale"}  # noqa: RUF012 (SQLAlchemy's own spelling)

    title: Mapped[str]
    description: Mapped[str]
    condition: Mapped[str | None]
    attributes: Mapped[dict[str, Any]]
    media: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Photographs given as web addresses."""
    gtin: Mapped[str | None]
    brand: Mapped[str | None]
    model: Mapped[str | None]
    mpn: Mapped[str | None]
    category: Mapped[str | None]
    quantity: Mapped[int]
    default_price: Mapped[float | None] = mapped_column(Float)
    cost: Mapped[float | None] = mapped_column(Float)
    shipping_cost: Mapped[float | None] = mapped_column(Float)
    currency: Mapped[str]
    lifecycle_status: Mapped[str]
    listing_choices: Mapped[dict[str, Any]] = mapped_column(JSONB)
    ai_review_state: Mapped[str]
