"""The item fields that chats can change, the words for them, and how values are parsed."""

from __future__ import annotations

import re

from whence.packs.resale.imports import money, values, vocabulary
from whence.sdk import tabular
from whence.sdk.chat import DOLLARS, Editable, RecordView
from whence.sdk.errors import Invalid
from whence.sdk.text import CURRENCY_NAMES, NUMBERS, quoted

from . import listing_choices, price_place, price_preview
from .basis import item_of

_TRAILING = re.compile(
    r"[\s,.;!]*(?:\b(?:please|pls|then|now|instead|thanks|thank you)\b[\s,.;!]*)*$", re.I
)
_CURRENCY_NAME = re.compile(rf"\s*\b({'|'.join(CURRENCY_NAMES)})\b", re.I)


def asking_price(words: str, view: RecordView) -> float | None:
    """An amount in the item's own currency; None for `nothing` or `none`.

    Raises:
        Invalid: no single amount below 10 million, one whose thousands cannot be told apart, or one
            in another currency than the item's: an amount is never converted.
    """
    text = _unquoted(words)
    if text.lower() in _NOTHING:
        return None
    written = _CURRENCY_NAME.sub(lambda match: CURRENCY_NAMES[match[1].lower()], text)
    try:
        amount = money.money(written)
    except tabular.BadValue as problem:
        raise Invalid(f"The asking price cannot be {quoted(text)}. {problem.message}") from problem
    if amount.doubtful:
        raise Invalid(f"{quoted(text)} can be read in two ways; write it without a thousands mark.")
    currency = item_of(view).currency
    dollars = "$" in written and amount.currency is None and currency not in DOLLARS
    if dollars or amount.currency not in (None, currency):
        raise Invalid(
            f"The item's currency is {currency}, and {quoted(text)} is in another. Say the "
            f"amount in {currency}, or change the currency too."
        )
    return amount.amount


def condition(words: str, view: RecordView) -> str | None:
    """One of our conditions, also from a marketplace's word; None for `unknown`."""
    text = _unquoted(words)
    if text.lower() in _NOTHING:
        return None
    try:
        return vocabulary.condition(_ELSEWHERE.get(text.lower(), text)).value
    except tabular.BadValue as problem:
        choices = "new, like new, good, fair, for parts"
        raise Invalid(f"There is no condition {quoted(text)}; there are: {choices}.") from problem


def status(words: str, view: RecordView) -> str:
    """The item's status: draft, ready, listed, sold or archived."""
    text = _unquoted(words)
    if any(re.match(each, words, re.IGNORECASE) for each in _KEPT):
        return "archived"
    try:
        return vocabulary.lifecycle_status("sold" if text.lower() in _BOUGHT else text).value
    except tabular.BadValue as problem:
        choices = "draft, ready, listed, sold, archived"
        raise Invalid(f"There is no status {quoted(text)}; there are: {choices}.") from problem


def barcode(words: str, view: RecordView) -> str | None:
    """A GTIN-14 with a correct check digit, also from a UPC or EAN; None for `none`."""
    text = _unquoted(words)
    if text.lower() in _NOTHING:
        return None
    try:
        return values.gtin(text)
    except tabular.BadValue as problem:
        raise Invalid(f"{quoted(text)} is no barcode. {problem.message}") from problem


def quantity(words: str, view: RecordView) -> int:
    """A whole number from 0; also words up to ten."""
    text = _unquoted(words)
    number = _NUMBERS.get(text.lower(), text)
    try:
        return tabular.whole(number)
    except tabular.BadValue as problem:
        raise Invalid(f"The quantity cannot be {quoted(text)}. {problem.message}") from problem


def currency(words: str, view: RecordView) -> str:
    """A code of three letters, such as USD."""
    text = _unquoted(words)
    try:
        return tabular.currency(text)
    except tabular.BadValue as problem:
        raise Invalid(f"{quoted(text)} is no currency. {problem.message}") from problem


def name(words: str, view: RecordView) -> str | None:
    """A brand, model, part number or category; None for `none`."""
    text = _unquoted(words)
    if text.lower() in _NOTHING:
        return None
    try:
        return values.name(text)
    except tabular.BadValue as problem:
        raise Invalid(f"That cannot be kept. {problem.message}") from problem


def _unquoted(words: str) -> str:
    clean = words.strip().strip("\"“”'‘’` ")
    text = _TRAILING.sub("", clean).strip("\"“”'‘’` ")
    if not text:
        raise Invalid("What should the value be?")
    return text


_KEPT = (
    r"(?:(?:i|we)(?:'?m|'?re| am| are)? )?(?:not|no longer) (?:selling|for sale)\b(?!.*\d)",
    r"(?:it|this)(?:'?s| is) (?:not|no longer) for sale\b",
    (
        r"(?:(?:i|we)(?:'?ll|'?m| will| am|'?ve decided to)? )?(?:keep|keeping) (?:it|this)"
        r"(?: (?:myself|for myself|after all|instead|anyway))?\W*$"
    ),
    r"(?:i|we) (?:don'?t|do not|no longer) want to sell (?:it|this)\b",
)
"""Whoever does not sell an item any more archives it."""
_NOTHING = frozenset({"none", "nothing", "empty", "null", "unknown", "not known", "blank"})
_BOUGHT = frozenset({f"{who} bought" for who in ("someone", "somebody", "a buyer", "they")})
_ELSEWHERE = {
    "neu": "new",
    "neuwertig": "like new",
    "wie neu": "like new",
    "gut": "good",
    "gebraucht": "used",
    "defekt": "broken",
    "neuf": "new",
    "comme neuf": "like new",
    "bon": "good",
    "occasion": "used",
    "nuevo": "new",
    "como nuevo": "like new",
    "bueno": "good",
    "usado": "used",
    "roto": "broken",
}
"""Conditions in German, French and Spanish."""
_NUMBERS = {word: str(number) for number, word in enumerate(NUMBERS)}

EDITABLE = (
    Editable(
        "default_price",
        (
            *("asking price", "list price", "listing price", "price", "asking"),
            *("Preis", "prix", "precio"),
        ),
        asking_price,
        preview=price_place.preview,
        in_words=price_place.price_in_words,
        concluded={name: f"price.{name}.amount" for name in ("target", "floor", "ceiling")},
    ),
    Editable("condition", ("condition", "state", "cond", "Zustand", "état", "estado"), condition),
    Editable("title", ("title", "name", "headline", "Titel", "titre", "título")),
    Editable("description", ("description", "notes", "note", "desc", "Beschreibung")),
    Editable("lifecycle_status", ("status", "stage"), status, asked_by=_KEPT),
    Editable(
        "quantity",
        (
            *("quantity", "number of pieces", "qty", "pieces", "in stock", "of them", "of these"),
            *("left", "remaining"),
            *("of those", "Menge", "Anzahl", "quantité", "cantidad"),
        ),
        quantity,
    ),
    Editable("brand", ("brand", "manufacturer", "maker", "Marke", "marque"), name),
    Editable("model", ("model", "model number", "model name", "Modell", "modèle"), name),
    Editable("mpn", ("part number", "manufacturer part number", "mpn"), name),
    Editable("gtin", ("barcode", "bar code", "gtin", "upc", "ean"), barcode),
    Editable("category", ("category", "Kategorie", "catégorie"), name),
    Editable("currency", ("currency", "Währung"), currency),
    Editable("attributes", ("attributes",), by_name=True),
    Editable(
        "listing_choices",
        ("listings that count",),
        listing_choices.listing_choices,
        asked_by=listing_choices.ASKED_BY,
        preview=price_preview.preview,
        in_words=listing_choices.choices_in_words,
    ),
)
