"""What the stock is worth: researched targets where there are some, asking prices for the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from whence.sdk.pages import PageEntry, PageTopic, PageView, reads_out

from .filters import ItemFilter, ListedItem
from .questions import entry_of
from .worth import GONE

STOCK = "stock"
TITLE = "Value of the items in stock"


def value(view: PageView, question: str) -> list[PageEntry]:
    """The value of the items that are not sold or archived, by currency, times their quantity."""
    return entry_of(view, ItemFilter(), STOCK, TITLE, _value)


def _value(items: Sequence[ListedItem], wanted: ItemFilter) -> str:
    targets: dict[str, list[float]] = defaultdict(list)
    asked: dict[str, list[float]] = defaultdict(list)
    unknown = 0
    for each in items:
        if each.status in GONE:
            continue
        if each.worth is not None and each.worth_currency is not None:
            targets[each.worth_currency].append(each.worth * each.quantity)
        elif each.price is not None:
            asked[each.currency].append(each.price * each.quantity)
        else:
            unknown += 1
    parts = [_in_words(currency, targets, asked) for currency in sorted({*targets, *asked})]
    if not parts:
        return "No item in stock has a price from research or an asking price."
    neither = f"; {_items(unknown)} without either" if unknown else ""
    return (
        f"The stock is worth {'; '.join(parts)}{neither}; sold and archived items are left out, "
        "quantities counted in."
    )


def _in_words(currency: str, targets: dict[str, list[float]], asked: dict[str, list[float]]) -> str:
    """`385.00 USD: 245.00 USD by the researched targets of 2 items, 140.00 USD by …`."""
    parts = [
        f"{sum(amounts):,.2f} {currency} by {name} of {_items(len(amounts))}"
        for name, amounts in (
            ("the researched target", targets.get(currency, [])),
            ("the asking price", asked.get(currency, [])),
        )
        if amounts
    ]
    total = sum(targets.get(currency, [])) + sum(asked.get(currency, []))
    rest = " without a researched price" if asked.get(currency) else ""
    return f"{total:,.2f} {currency}: {', '.join(parts)}{rest}"


def _items(number: int) -> str:
    return "1 item" if number == 1 else f"{number} items"


STOCK_TOPIC = PageTopic(
    STOCK,
    "what the stock is worth",
    (
        r"\b(?:worth|value|valued)\b",
        r"\b(?:total|whole|entire|overall|all)\b.*\b(?:worth|value)\b",
        r"\b(?:worth|value) of\b.*\b(?:stock|inventory|items|everything|all)\b",
        r"\b(?:stock|inventory)\b.*\b(?:worth|value)\b",
    ),
    reads_out(STOCK),
    "What is my stock worth?",
    value,
)
