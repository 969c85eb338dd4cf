"""The fields of an item that can be changed from chat, the words for them, and how values read."""

from __future__ import annotations

import re

from whence.packs.resale.imports import money, values, vocabulary
from whence.sdk import Editable, Invalid

_TRAILING = re.compile(
    r"[\s,.;!]*(?:\b(?:please|pls|then|now|instead|thanks|thank you)\b[\s,.;!]*)*$", re.I
)
_DOLLARS = re.compile(r"\s*\b(?:dollars?|bucks?)\b", re.I)


def asking_price(words: str) -> float | None:
    """An amount in the item's own currency; None for `nothing` or `none`.

    Raises:
        Invalid: no single amount below 10 million, or one whose thousands cannot be told apart.
    """
    said = _said(words)
    if said.lower() in _NOTHING:
        return None
    try:
        found = money.money(_DOLLARS.sub(" USD", said))
    except values.BadValue as problem:
        raise Invalid(f"The asking price cannot be “{said}”. {problem.message}") from problem
    if found.doubtful:
        raise Invalid(f"“{said}” can be read in two ways; write it without a thousands mark.")
    if found.currency not in (None, "USD"):
        raise Invalid(
            f"“{said}” names the currency {found.currency}. Say the amount alone; "
            "it is in the item's currency, which can be changed by itself."
        )
    return found.amount


def condition(words: str) -> str | None:
    """One of our conditions, for a marketplace's word too; None for `unknown`."""
    said = _said(words)
    if said.lower() in _NOTHING:
        return None
    try:
        return vocabulary.condition(said).value
    except values.BadValue as problem:
        known = "new, like new, good, fair, for parts"
        raise Invalid(f"There is no condition “{said}”; there are: {known}.") from problem


def status(words: str) -> str:
    """Where the item stands: draft, ready, listed, sold or archived."""
    said = _said(words)
    try:
        return vocabulary.lifecycle_status(said).value
    except values.BadValue as problem:
        known = "draft, ready, listed, sold, archived"
        raise Invalid(f"There is no status “{said}”; there are: {known}.") from problem


def barcode(words: str) -> str | None:
    """A GTIN-14 whose check digit is right, from a UPC or EAN too; None for `none`."""
    said = _said(words)
    if said.lower() in _NOTHING:
        return None
    try:
        return values.gtin(said)
    except values.BadValue as problem:
        raise Invalid(f"“{said}” is no barcode. {problem.message}") from problem


def quantity(words: str) -> int:
    """A whole number from 0; words up to ten are read too."""
    said = _said(words)
    number = _NUMBERS.get(said.lower(), said)
    try:
        return values.whole(number)
    except values.BadValue as problem:
        raise Invalid(f"The quantity cannot be “{said}”. {problem.message}") from problem


def currency(words: str) -> str:
    """A code of three letters, such as USD."""
    said = _said(words)
    try:
        return values.currency(said)
    except values.BadValue as problem:
        raise Invalid(f"“{said}” is no currency. {problem.message}") from problem


def name(words: str) -> str | None:
    """A brand, model, part number or category; None for `none`."""
    said = _said(words)
    if said.lower() in _NOTHING:
        return None
    try:
        return values.name(said)
    except values.BadValue as problem:
        raise Invalid(f"That cannot be kept. {problem.message}") from problem


def _said(words: str) -> str:
    clean = words.strip().strip("\"“”'‘’` ")
    said = _TRAILING.sub("", clean).strip("\"“”'‘’` ")
    if not said:
        raise Invalid("Say what the value shall be.")
    return said


_NOTHING = frozenset({"none", "nothing", "empty", "null", "unknown", "not known", "blank"})
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}

EDITABLE = (
    Editable(
        "default_price", ("asking price", "list price", "listing price", "price"), asking_price
    ),
    Editable("condition", ("condition", "state"), condition),
    Editable("title", ("title", "name", "headline")),
    Editable("description", ("description", "notes", "note")),
    Editable("lifecycle_status", ("status", "stage"), status),
    Editable("quantity", ("quantity", "number of pieces", "qty"), quantity),
    Editable("brand", ("brand", "manufacturer", "maker"), name),
    Editable("model", ("model", "model number"), name),
    Editable("mpn", ("part number", "manufacturer part number"), name),
    Editable("gtin", ("barcode", "bar code", "gtin", "upc", "ean"), barcode),
    Editable("category", ("category",), name),
    Editable("currency", ("currency",), currency),
)
