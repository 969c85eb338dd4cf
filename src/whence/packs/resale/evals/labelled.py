"""Read a folder of labelled pairs: items.jsonl, listings.jsonl and pairs.<split>.jsonl."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from whence.packs.resale.matching.scorer import Product
from whence.packs.resale.records import MAX_AMOUNT, Listing
from whence.sdk.errors import Invalid
from whence.sdk.text import clean

_TITLE_MAX = 1000
_TEXT_MAX = 20_000


@dataclass(frozen=True)
class Pair:
    """A label: whether this listing is this item."""

    item: str
    listing: str
    match: bool


@dataclass(frozen=True)
class LabelledFolder:
    """Items and listings by id; their texts form the catalogue.  Labels are read separately."""

    items: Mapping[str, Product]
    listings: Mapping[str, Listing]


def read_folder(data: Path) -> LabelledFolder:
    """Read items and listings.

    Raises:
        Invalid: a file is missing, or a line cannot be read (names the file and the line).
    """
    items: dict[str, Product] = {}
    for where, row in _rows(data / "items.jsonl"):
        items[_text(row, "id", where)] = Product(
            title=_text(row, "title", where, empty=" ")[:_TITLE_MAX],
            brand=_text(row, "brand", where, empty="") or None,
            model=_text(row, "model", where, empty="") or None,
            category=_text(row, "category", where, empty="") or None,
            description=_text(row, "description", where, empty="")[:_TEXT_MAX],
            price=_price(row, where),
            currency=_currency(row, where),
        )
    listings: dict[str, Listing] = {}
    for where, row in _rows(data / "listings.jsonl"):
        ident = _text(row, "id", where)
        listings[ident] = Listing(
            source="library",
            source_id=ident[:200],
            title=_text(row, "title", where, empty=" ")[:_TITLE_MAX],
            brand=_text(row, "brand", where, empty="") or None,
            model=_text(row, "model", where, empty="") or None,
            category=_text(row, "category", where, empty="") or None,
            description=_text(row, "description", where, empty="")[:_TEXT_MAX],
            price=_price(row, where),
            currency=_currency(row, where),
        )
    return LabelledFolder(items, listings)


def read_pairs(data: Path, split: str, folder: LabelledFolder) -> list[Pair]:
    """Read the labels of one split (`train`, `valid`, `test`).

    Raises:
        Invalid: the file is missing, or a line is malformed or names an unknown id.
    """
    pairs: list[Pair] = []
    for where, row in _rows(data / f"pairs.{split}.jsonl"):
        item, listing = _text(row, "item", where), _text(row, "listing", where)
        if item not in folder.items or listing not in folder.listings:
            raise Invalid(f"{where}: no such item or listing: {item}, {listing}")
        match = row.get("match")
        if match not in (0, 1):
            raise Invalid(f"{where}: `match` must be 0 or 1, not {match!r}")
        pairs.append(Pair(item, listing, match == 1))
    if not pairs:
        raise Invalid(f"{data / f'pairs.{split}.jsonl'}: no pairs in it")
    return pairs


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    if not path.is_file():
        raise Invalid(f"{path}: no such file; give a folder with items, listings and pairs")
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        for at, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            where = f"{path.name} line {at}"
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise Invalid(f"{where}: not JSON ({error})") from error
            if not isinstance(row, dict):
                raise Invalid(f"{where}: expected an object, found {type(row).__name__}")
            yield where, row


def _text(row: Mapping[str, object], name: str, where: str, empty: str | None = None) -> str:
    value = row.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        if empty is None:
            raise Invalid(f"{where}: `{name}` is missing")
        return empty
    if not isinstance(value, str):
        raise Invalid(f"{where}: `{name}` must be text, not {type(value).__name__}")
    return clean(value) or (empty or "")


def _price(row: Mapping[str, object], where: str) -> float | None:
    value = row.get("price")
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise Invalid(f"{where}: `price` must be a number, not {type(value).__name__}")
    try:
        price = (
            float(value.replace(",", "").lstrip("$ ")) if isinstance(value, str) else float(value)
        )
    except (ValueError, OverflowError) as error:
        raise Invalid(f"{where}: `price` is not a number: {value!r}") from error
    if not math.isfinite(price) or not 0 <= price < MAX_AMOUNT:
        raise Invalid(f"{where}: `price` is out of range: {value!r}")
    return price


def _currency(row: Mapping[str, object], where: str) -> str:
    value = _text(row, "currency", where, empty="USD").upper()
    if len(value) != 3 or not (value.isascii() and value.isalpha()):
        raise Invalid(f"{where}: `currency` must be a three-letter code, not {value!r}")
    return value
