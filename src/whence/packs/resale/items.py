"""What an item is to the engine: its record, its table, and how it is found."""

from __future__ import annotations

from whence.sdk.records import Conclusion, Display, ReviewState, SubjectKind, Unit

from .library.tables import ItemRow
from .records import AiReviewState, Item, LifecycleStatus
from .settings import read_settings
from .uploads import PHOTOGRAPHS

INTAKE = "initial_intake"
"""The type of run for a new item."""
REPRICE = "reprice"
"""The type of run after the owner excluded or included a listing."""


def not_ready(item: Item) -> str | None:
    """Why an item cannot be researched, or None."""
    if not any(character.isalnum() for character in item.title):
        return "its title has no letters or digits to search for"
    return None


def settled(item: Item) -> str | None:
    """Why an item need not be researched in its state, or None."""
    if item.lifecycle_status in (LifecycleStatus.SOLD, LifecycleStatus.ARCHIVED):
        return f"it is {item.lifecycle_status.value}"
    return None


def intake() -> str | None:
    """The type of run that starts for each new item, None unless it is switched on."""
    return INTAKE if read_settings().research_new else None


ITEMS = SubjectKind(
    kind="items",
    title="Item",
    record=Item,
    row=ItemRow,
    search=("title", "brand", "model", "gtin", "external_id"),
    filters=("condition", "lifecycle_status", "ai_review_state", "brand", "category"),
    not_ready=not_ready,
    settled=settled,
    intake=intake,
    follow_ups=(("listing_choices", REPRICE),),
    review=ReviewState(
        "ai_review_state", AiReviewState.RESEARCHING.value, AiReviewState.NEEDS_REVIEW.value
    ),
    attachment=PHOTOGRAPHS,
    display=Display(
        title="title",
        subtitle="brand",
        picture="media",
        state="lifecycle_status",
        tones={"draft": "draft", "ready": "waiting", "listed": "active", "sold": "success"},
        figures=("default_price",),
        conclusions=(Conclusion("price.target.amount", "Target", Unit(field="price.currency")),),
    ),
)
