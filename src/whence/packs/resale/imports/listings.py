"""Listings (offers and sales seen on marketplaces) from a CSV or JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from whence.packs.resale.records import Listing, ListingStatus
from whence.sdk.tabular import (
    Cells,
    Columns,
    Context,
    Field,
    Layout,
    Reading,
    currency,
    days_ago,
    header_key,
    known_keys,
    link,
    match,
    open_table,
    shorten,
    whole,
    yes_or_no,
)
from whence.sdk.values import now

from .dates import moment
from .headers import in_other_languages
from .items import SHARED_FIELDS, condition_of, currency_of, warn_if_doubtful
from .money import Money, money
from .values import gtin, name
from .vocabulary import listing_status

SOURCE = "library"
"""The source of every listing that a user imported."""
STATUS_FIELDS = ("status", "sold")
"""Fields whose columns state whether a listing sold."""

_IN_ENGLISH = (
    Field("id", ("externalid", "sourceid", "listingid", "transactionid", "id", "itemid",
                 "itemnumber", "itemno", "ebayitemnumber", "ebayitemid", "legacyitemid", "sku",
                 "customlabel", "customlabelsku")),
    *SHARED_FIELDS,
    Field("price", ("soldprice", "soldfor", "saleprice", "finalprice", "salesprice", "price",
                    "itemprice", "currentprice", "askingprice", "listprice", "listingprice",
                    "startprice", "buyitnowprice", "amount"), many=True, is_amount=True),
    Field("shipping", ("shipping", "shippingcost", "shippingprice", "shippingfee", "postage",
                       "postagecost", "delivery", "deliverycost", "pandp", "pp")),
    Field("free_shipping", ("freeshipping", "freepostage", "freedelivery", "isfreeshipping")),
    Field("status", ("status", "listingstatus", "salestatus", "liststatus")),
    Field("sold", ("sold", "issold", "wassold")),
    Field("sold_at", ("soldat", "solddate", "datesold", "saledate", "soldon", "endedat",
                      "enddate", "dateended", "endtime", "closedat", "date"),
          many=True, is_date=True),
    Field("sold_days_ago", ("solddaysago", "endeddaysago", "dayssincesold"), many=True),
    Field("listed_at", ("listedat", "listeddate", "datelisted", "startdate", "starttime",
                        "createdat", "datecreated", "listingdate"), is_date=True),
    Field("listed_days_ago", ("listeddaysago", "dayssincelisted")),
    Field("marketplace", ("marketplace", "site", "platform", "market", "channel", "source",
                          "store", "website")),
    Field("url", ("url", "link", "listingurl", "itemurl", "listinglink", "weblink", "viewitemurl",
                  "itemweburl")),
)  # fmt: skip
FIELDS = in_other_languages(_IN_ENGLISH)


def read_listings(
    path: Path, mapping: Mapping[str, str] | None = None, *, at: datetime | None = None
) -> Reading[Listing]:
    """The listings in `path`; columns no one knows are ignored and named in the report.

    `mapping` (header to field or `ignore`) goes before the synonyms. `at` is the moment that
    `sold_days_ago` and `listed_days_ago` count from (now). Raises `Invalid` when the file cannot
    be read at all; a bad row comes out as `Refused`.
    """
    table = open_table(path, Layout(known_keys(FIELDS)))
    columns = match(table.headers, FIELDS, explicit=mapping)
    table = replace(table, notes=(*table.notes, *_notes(columns)))
    return Reading(table, columns, at or now(), _listing)


def _listing(cells: Cells, external_id: str, context: Context) -> Listing:
    stated = cells.need("currency", currency)
    likely_currency = stated or context.columns.currency
    price = cells.need("price", lambda value: money(value, likely_currency))
    warn_if_doubtful(cells, "price", price)
    code = currency_of(cells, price, stated) or likely_currency
    status = _status(cells)
    listed_at, sold_at = _moments(cells, context, status)
    shipping = _shipping(cells, code or "USD")
    _note_derived(cells, status, price and code, shipping, listed_at, sold_at)
    return Listing(
        source=SOURCE,
        source_id=external_id,
        title=cells.required_line("title", 1_000),
        description=cells.long_text("description"),
        status=status,
        price=price.amount if price else None,
        shipping=shipping,
        currency=code or "USD",
        condition=condition_of(cells),
        listed_at=listed_at,
        sold_at=sold_at,
        marketplace=cells.try_("marketplace", name),
        url=cells.try_("url", link),
        gtin=cells.try_("gtin", gtin),
        brand=cells.try_("brand", name),
        model=cells.try_("model", name),
        mpn=cells.try_("mpn", name),
        category=cells.try_("category", name),
        quantity=_quantity(cells),
    )


def _note_derived(
    cells: Cells,
    status: ListingStatus,
    currency: object,
    shipping: float | None,
    listed_at: datetime | None,
    sold_at: datetime | None,
) -> None:
    """Note the fields that other columns give: `sold` the status, `sold days ago` the date."""
    given = {
        "status": status is not ListingStatus.UNKNOWN,
        "currency": currency,
        "shipping": shipping is not None,
        "listed_at": listed_at,
        # An active listing has not been sold, whatever an earlier file said.
        "sold_at": sold_at or status is ListingStatus.ACTIVE,
    }
    for field, value in given.items():
        if value:
            cells.derived(field)


def _shipping(cells: Cells, code: str) -> float | None:
    cost: Money | None = cells.need("shipping", lambda value: money(value, None))
    if cost is None:
        return 0.0 if cells.try_("free_shipping", yes_or_no) else None
    warn_if_doubtful(cells, "shipping", cost)
    if cost.currency not in {None, code}:
        shown = shorten(cells.value("shipping"))
        cells.warnings.append(f"shipping {shown!r} is left out: the price is in {code}.")
        return None
    return cost.amount


def _status(cells: Cells) -> ListingStatus:
    """The stated status; else sold if a sold date is filled, or the price is a sold price.

    The header of the price counts only in a file without a column for the status: where that is
    blank or unclear, nobody knows whether the listing sold.
    """
    if (status := cells.try_("status", listing_status)) is not None:
        return status
    if (sold := cells.try_("sold", yes_or_no)) is not None:
        return ListingStatus.SOLD if sold else ListingStatus.UNKNOWN
    if any(_sold_header(cells, field) for field in ("sold_at", "sold_days_ago")):
        return ListingStatus.SOLD
    if (header := _sold_header(cells, "price")) is None:
        return ListingStatus.UNKNOWN
    if not any(cells.has_column(field) for field in STATUS_FIELDS):
        return ListingStatus.SOLD
    cells.warnings.append(
        f"The status is open, so the price counts as an asking price although its column is "
        f"{shorten(header)!r}."
    )
    return ListingStatus.UNKNOWN


def _sold_header(cells: Cells, field: str) -> str | None:
    """The header of the field's filled column, if it speaks of a sale (`date sold`)."""
    if (filled := cells.at(field)) is None:
        return None
    header = cells.columns.headers[filled[0]]
    return header if _is_of_sales(header) else None


def _is_of_sales(header: str) -> bool:
    return "sold" in header_key(header)


def _notes(columns: Columns) -> tuple[str, ...]:
    """What the headers alone decide for every row of the file."""
    if any(field in columns.positions for field in STATUS_FIELDS):
        return ()
    headers = [columns.headers[at] for at in columns.positions.get("price", ())]
    return tuple(
        f"No column states whether a listing sold; one with a price under {shorten(header)!r} is "
        "read as sold."
        for header in headers
        if _is_of_sales(header)
    )


def _moments(
    cells: Cells, context: Context, status: ListingStatus
) -> tuple[datetime | None, datetime | None]:
    read = partial(moment, at=context.at, day_first=context.day_first)
    ago = partial(days_ago, at=context.at)
    listed = cells.try_("listed_at", read) or cells.try_("listed_days_ago", ago)
    if status is ListingStatus.ACTIVE:
        return listed, None  # an end date of an active listing is when it would end
    sold = cells.try_("sold_at", read) or cells.try_("sold_days_ago", ago)
    if listed and sold and sold < listed:
        cells.warnings.append("It ends before it was listed; the date of listing is left out.")
        listed = None
    return listed, sold


def _quantity(cells: Cells) -> int:
    quantity = cells.need("quantity", whole)
    if quantity == 0:
        cells.warnings.append("quantity 0 is read as 1.")
    return quantity or 1
