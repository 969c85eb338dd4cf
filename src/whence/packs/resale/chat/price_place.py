"""A proposed asking price: with its currency, and where it lies beside what research concluded."""

from __future__ import annotations

from whence.sdk.chat import RecordView

from .basis import amount, body_of, is_supported, item_of


def preview(view: RecordView, price: float | None) -> str:
    """That a price lies outside the researched range, with the edge; empty for one within it.

    Also empty without a supported price, or one in another currency.
    """
    body = body_of(view)
    currency = item_of(view).currency
    if price is None or body is None or body.price is None or body.price.currency != currency:
        return ""
    for name, is_outside in (
        ("floor", price < body.price.floor.amount),
        ("ceiling", price > body.price.ceiling.amount),
    ):
        if is_outside and is_supported(view, f"price.{name}.amount"):
            edge = body.price.floor if name == "floor" else body.price.ceiling
            side = "below" if name == "floor" else "above"
            return (
                f"{amount(price, currency)} is {side} the {name}, {amount(edge.amount, currency)}."
            )
    return ""


def price_in_words(view: RecordView, price: object) -> str:
    """An asking price with its currency: `140.00 USD`."""
    if not isinstance(price, int | float):
        return "(empty)"
    return amount(price, item_of(view).currency)
