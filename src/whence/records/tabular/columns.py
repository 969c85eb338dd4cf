"""Which header means which field: by synonyms, or as the caller says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whence.kernel.errors import Invalid
from whence.kernel.words import CURRENCY_SIGNS

from .header import MAX_HEADER, header_key
from .mapping import chosen_mapping

IGNORE = ("", "ignore", "-")
"""What an explicit mapping says to leave a column out."""

ATTRIBUTE_PREFIXES = ("attr:", "attribute:", "attributes:", "attributes.", "c:")
"""`C:` is how eBay's templates spell an item specific."""

MOST_NAMED = 6
"""Headers that a message offers for a field; the first are the plainest."""
_CURRENCY = re.compile(r"(?:^|[^a-z])(USD|EUR|GBP|CAD|AUD|JPY|CHF|PLN|SEK|INR)\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class Field:
    """One field and the headers that people give it, the most exact first (see `header_key`)."""

    name: str
    headers: tuple[str, ...]
    many: bool = False
    """Several columns may feed it; the first filled one counts (`Cells.all` has all of them)."""
    is_numbered: bool = False
    """Columns that are counted belong to it: `image 1`, `image 2`."""
    is_amount: bool = False
    """Its header may name the currency, as in `Price (EUR)`."""
    is_date: bool = False
    """Its cells show whether the file writes the day or the month first."""
    is_required: bool = False
    """A file without a column for it is refused."""


@dataclass(frozen=True)
class Columns:
    """How the columns of one file are read."""

    headers: tuple[str, ...]
    positions: Mapping[str, tuple[int, ...]]
    """Field to its columns, the most exact first."""
    attributes: Mapping[int, str]
    """Column to the attribute it becomes, where unknown columns are kept."""
    mapping: Mapping[str, str]
    """Header to field (`attr:Color` for an attribute): the part of the report people read."""
    ignored: tuple[str, ...]
    currency: str | None
    """The currency that the header of an amount names, as in `Price (EUR)`."""
    used: tuple[int, ...]
    """Every column that something is read from."""
    dates: tuple[int, ...]
    """The columns of dates."""
    known: tuple[Field, ...] = ()
    """Every field that a file of this kind may have a column for."""
    keeps_unknown: bool = False
    """Whether a column without a field becomes an attribute."""

    @property
    def fields(self) -> frozenset[str]:
        """The names of those fields."""
        return frozenset(field.name for field in self.known)


class MissingColumn(Invalid):
    """No column of the file holds a field that every record needs."""

    def __init__(self, message: str, columns: Columns, field: Field) -> None:
        super().__init__(message)
        self.columns = columns
        """How the other columns are read."""
        self.field = field


def known_keys(fields: Sequence[Field]) -> frozenset[str]:
    """The header keys of all fields, for `Layout.known`."""
    return frozenset(key for field in fields for key in field.headers)


def match(
    headers: Sequence[str],
    fields: Sequence[Field],
    *,
    explicit: Mapping[str, str] | None = None,
    keep_unknown: bool = False,
    never_attributes: frozenset[str] = frozenset(),
) -> Columns:
    """Read the headers. `explicit` (header to field, `attr:NAME` or `ignore`) goes before synonyms,
    and what a person has chosen for this file (`column_mapping`) before both.

    Raises `MissingColumn` when a required field has no column, and `Invalid` when a mapping names
    what does not exist.
    """
    stated = _explicit(headers, fields, {**(explicit or {}), **chosen_mapping()})
    free = {at: header for at, header in enumerate(headers) if at not in stated and header.strip()}
    keys = {at: _plain_key(header) for at, header in free.items()}
    positions: dict[str, list[int]] = {}
    for at, name in stated.items():
        if name and not name.startswith("attr:"):
            positions.setdefault(name, []).append(at)
    for field in fields:
        columns = positions.setdefault(field.name, [])
        for synonym in field.headers:
            same = [at for at in free if synonym in (keys[at], _unnumbered(field, keys[at]))]
            for at in sorted(same, key=lambda at: (len(keys[at]), keys[at])):
                if field.many or not columns:
                    columns.append(at)
                    del free[at]
    attributes = {at: name[5:] for at, name in stated.items() if name.startswith("attr:")}
    for at, header in list(free.items()):
        name = _attribute_name(header)
        if keep_unknown and (name or keys[at] not in never_attributes):
            attributes[at] = name or header
            del free[at]
    by_column = {at: name for name, columns in positions.items() for at in columns}
    by_column |= {at: f"attr:{name}" for at, name in attributes.items()}
    left_out = {at: None for at, name in stated.items() if not name} | dict.fromkeys(free)
    amounts = [headers[at] for f in fields if f.is_amount for at in positions[f.name]]
    columns = Columns(
        headers=tuple(headers),
        positions={name: tuple(columns) for name, columns in positions.items() if columns},
        attributes=attributes,
        mapping={headers[at]: by_column[at] for at in sorted(by_column)},
        currency=next((code for header in amounts if (code := _currency(header))), None),
        used=tuple(sorted(by_column)),
        ignored=tuple(headers[at] for at in sorted(left_out)),
        dates=tuple(at for f in fields if f.is_date for at in positions[f.name]),
        known=tuple(fields),
        keeps_unknown=keep_unknown,
    )
    for field in fields:
        if field.is_required and field.name not in columns.positions:
            raise MissingColumn(_no_column(headers, field), columns, field)
    return columns


def _explicit(
    headers: Sequence[str], fields: Sequence[Field], mapping: Mapping[str, str]
) -> dict[int, str]:
    """Column to field name (`""` to ignore it), for the headers that the caller speaks of."""
    names = {header_key(field.name): field.name for field in fields}
    exact = {header: at for at, header in enumerate(headers)}
    loose = {header_key(header): at for at, header in enumerate(headers)}
    stated: dict[int, str] = {}
    for header, target in mapping.items():
        at = exact.get(header, loose.get(header_key(header)))
        if at is None:
            raise Invalid(f"There is no header {header!r}; found: {_listed(headers)}.")
        if target.strip().lower() in IGNORE:
            stated[at] = ""
        elif attribute := _attribute_name(target):
            stated[at] = f"attr:{attribute}"
        elif (name := names.get(header_key(target))) is not None:
            stated[at] = name
        else:
            raise Invalid(f"There is no field {target!r}; fields: {', '.join(names.values())}.")
    return stated


def _plain_key(header: str) -> str:
    """The key of a header; an attribute prefix and a currency at its end do not count."""
    bare = _attribute_name(header) if header.lower().startswith("c:") else header
    key = header_key(bare or header)
    code = _currency(header)
    return key.removesuffix(code.lower()) if code and key != code.lower() else key


def _unnumbered(field: Field, key: str) -> str:
    return key.rstrip("0123456789") if field.is_numbered else key


def _attribute_name(header: str) -> str | None:
    lower = header.strip().lower()
    for prefix in ATTRIBUTE_PREFIXES:
        if lower.startswith(prefix):
            return header.strip()[len(prefix) :].strip() or None
    return None


def _currency(header: str) -> str | None:
    if code := _CURRENCY.search(header[:MAX_HEADER]):
        return code[1].upper()
    return next((code for symbol, code in CURRENCY_SIGNS.items() if symbol in header), None)


def _no_column(headers: Sequence[str], field: Field) -> str:
    name, words = field.name.replace("_", " "), _any_of(field.headers[:MOST_NAMED])
    return (
        f"No column holds the {name}. The headers are {_listed(headers)}. Rename the column of the "
        f"{name} to {words}; capitals, spaces and punctuation do not matter."
    )


def _any_of(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _listed(headers: Sequence[str]) -> str:
    shown = [header if len(header) <= 40 else header[:39] + "…" for header in headers[:30]]
    more = f" and {len(headers) - 30} more" if len(headers) > 30 else ""
    return (", ".join(repr(header) for header in shown) or "none") + more
