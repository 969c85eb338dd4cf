"""Which header means which field: by synonyms, or as the caller says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.sdk.errors import Invalid

PRICES = ("price", "default_price")
IGNORE = ("", "ignore", "-")
"""What an explicit mapping says to leave a column out."""

ATTRIBUTE_PREFIXES = ("attr:", "attribute:", "attributes:", "attributes.", "c:")
"""`C:` is how eBay's templates spell an item specific."""

_BRACKETS = re.compile(r"[(\[].*?[)\]]")
_CURRENCY = re.compile(r"(?:^|[^a-z])(USD|EUR|GBP|CAD|AUD|JPY|CHF|PLN|SEK|INR)\W*$", re.IGNORECASE)
MAX_HEADER = 200
"""Characters of a header that count; a longer one is a sentence or an attack."""

_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}


@dataclass(frozen=True)
class Field:
    """One field and the headers that people give it, the most exact first (see `header_key`)."""

    name: str
    headers: tuple[str, ...]
    many: bool = False
    """Several columns may feed it; the first filled one counts (all of them, for photographs)."""


@dataclass(frozen=True)
class Columns:
    """How the columns of one file are read."""

    positions: Mapping[str, tuple[int, ...]]
    """Field to its columns, the most exact first."""
    attributes: Mapping[int, str]
    """Column to the attribute it becomes (items only)."""
    mapping: Mapping[str, str]
    """Header to field (`attr:Color` for an attribute): the part of the report people read."""
    ignored: tuple[str, ...]
    currency: str | None
    """The currency that a price header names, as in `Price (EUR)`."""
    used: tuple[int, ...]
    """Every column that something is read from."""
    says_sold: frozenset[int]
    """Columns whose header says that the listing sold (`date sold`, `sold price`)."""


def header_key(header: str) -> str:
    """Letters and digits only, lower case: `itemTitle`, `Item_Title` and `ITEM TITLE` are one."""
    text = unicodedata.normalize("NFKC", _BRACKETS.sub(" ", header[:MAX_HEADER]))
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def match(
    headers: Sequence[str],
    fields: Sequence[Field],
    *,
    explicit: Mapping[str, str] | None = None,
    keep_unknown: bool = False,
    never_attributes: frozenset[str] = frozenset(),
) -> Columns:
    """Read the headers. `explicit` (header to field, `attr:NAME` or `ignore`) goes before synonyms.

    Raises `Invalid` when no column is the title, or `explicit` names what does not exist.
    """
    said = _explicit(headers, fields, explicit or {})
    taken: dict[int, str] = {at: name for at, name in said.items() if name}
    free = {at: header for at, header in enumerate(headers) if at not in said and header.strip()}
    keys = {at: _plain_key(header) for at, header in free.items()}
    positions: dict[str, list[int]] = {}
    for at, name in taken.items():
        if not name.startswith("attr:"):
            positions.setdefault(name, []).append(at)
    for field in fields:
        found = positions.setdefault(field.name, [])
        for synonym in field.headers:
            same = [at for at in free if synonym in (keys[at], _unnumbered(field, keys[at]))]
            for at in sorted(same, key=lambda at: (len(keys[at]), keys[at])):
                if field.many or not found:
                    found.append(at)
                    del free[at]
    if not positions["title"]:
        raise Invalid(_no_title(headers, fields))
    attributes = {at: name[5:] for at, name in taken.items() if name.startswith("attr:")}
    for at, header in list(free.items()):
        name = _attribute_name(header)
        if keep_unknown and (name or keys[at] not in never_attributes):
            attributes[at] = name or header
            del free[at]
    by_column = {at: name for name, columns in positions.items() for at in columns}
    by_column |= {at: f"attr:{name}" for at, name in attributes.items()}
    left_out = {at: None for at, name in said.items() if not name} | dict.fromkeys(free)
    priced = [headers[at] for name in PRICES for at in positions.get(name, ())]
    return Columns(
        positions={name: tuple(columns) for name, columns in positions.items() if columns},
        attributes=attributes,
        mapping={headers[at]: by_column[at] for at in sorted(by_column)},
        currency=next((code for header in priced if (code := _currency(header))), None),
        used=tuple(sorted(by_column)),
        ignored=tuple(headers[at] for at in sorted(left_out)),
        says_sold=frozenset(
            at
            for name in ("price", "sold_at", "sold_days_ago")
            for at in positions.get(name, ())
            if "sold" in header_key(headers[at])
        ),
    )


def _explicit(
    headers: Sequence[str], fields: Sequence[Field], mapping: Mapping[str, str]
) -> dict[int, str]:
    """Column to field name (`""` to ignore it), for the headers that the caller speaks of."""
    names = {header_key(field.name): field.name for field in fields}
    exact = {header: at for at, header in enumerate(headers)}
    loose = {header_key(header): at for at, header in enumerate(headers)}
    said: dict[int, str] = {}
    for header, target in mapping.items():
        at = exact.get(header, loose.get(header_key(header)))
        if at is None:
            raise Invalid(f"There is no header {header!r}; found: {_listed(headers)}.")
        if target.strip().lower() in IGNORE:
            said[at] = ""
        elif attribute := _attribute_name(target):
            said[at] = f"attr:{attribute}"
        elif (name := names.get(header_key(target))) is not None:
            said[at] = name
        else:
            raise Invalid(f"There is no field {target!r}; fields: {', '.join(names.values())}.")
    return said


def _plain_key(header: str) -> str:
    """The key of a header; an attribute prefix and a currency at its end do not count."""
    bare = _attribute_name(header) if header.lower().startswith("c:") else header
    key = header_key(bare or header)
    code = _currency(header)
    return key.removesuffix(code.lower()) if code and key != code.lower() else key


def _unnumbered(field: Field, key: str) -> str:
    """`image 1`, `image 2`, ... are all photographs."""
    return key.rstrip("0123456789") if field.name == "photos" else key


def _attribute_name(header: str) -> str | None:
    lower = header.strip().lower()
    for prefix in ATTRIBUTE_PREFIXES:
        if lower.startswith(prefix):
            return header.strip()[len(prefix) :].strip() or None
    return None


def _currency(header: str) -> str | None:
    if found := _CURRENCY.search(header[:MAX_HEADER]):
        return found[1].upper()
    return next((code for symbol, code in _SYMBOLS.items() if symbol in header), None)


def _no_title(headers: Sequence[str], fields: Sequence[Field]) -> str:
    accepted = next(field.headers for field in fields if field.name == "title")
    return (
        f"No column holds the title. Headers found: {_listed(headers)}. "
        f"Name one of them {', '.join(accepted)} (spaces and capitals do not matter), "
        "or pass a mapping from a header to title."
    )


def _listed(headers: Sequence[str]) -> str:
    shown = [header if len(header) <= 40 else header[:39] + "…" for header in headers[:30]]
    more = f" and {len(headers) - 30} more" if len(headers) > 30 else ""
    return (", ".join(repr(header) for header in shown) or "none") + more
