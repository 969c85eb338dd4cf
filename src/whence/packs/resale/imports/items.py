"""Items from a CSV or JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import cast

from whence.packs.resale.records import Condition, Item, LifecycleStatus
from whence.sdk.tabular import (
    BadValue,
    Cells,
    Context,
    Field,
    Layout,
    Reading,
    RowRefused,
    currency,
    header_key,
    is_blank,
    known_keys,
    line_of_text,
    match,
    open_table,
    shorten,
    text,
    whole,
)
from whence.sdk.values import now

from . import photos
from .headers import in_other_languages
from .money import Money, money
from .values import gtin, name
from .vocabulary import condition, is_refurbished, lifecycle_status

MAX_ATTRIBUTES = 200
MAX_ATTRIBUTE_NAME = 100
MAX_ATTRIBUTE_VALUE = 2_000

SHARED_FIELDS = (
    Field("title", ("title", "itemtitle", "listingtitle", "producttitle", "name", "itemname",
                    "productname", "product", "item", "listing", "whatisit", "what"),
          is_required=True),
    Field("description", ("description", "itemdescription", "productdescription", "details",
                          "longdescription", "body", "notes")),
    Field("condition", ("condition", "itemcondition", "conditionname", "state", "conditionid",
                        "grade", "cond", "itemcond")),
    Field("gtin", ("gtin", "gtin14", "gtin13", "ean", "ean13", "upc", "upca", "barcode", "isbn",
                   "isbn13", "isbn10", "productcode", "upcean", "eanupc"), many=True),
    Field("brand", ("brand", "brandname", "manufacturer", "make", "maker", "vendor")),
    Field("model", ("model", "modelname", "modelnumber", "modelno")),
    Field("mpn", ("mpn", "partnumber", "partno", "manufacturerpartnumber", "mfrpart",
                  "mfrpartnumber", "mfgpartnumber", "modelnumber")),
    Field("category", ("category", "categoryname", "producttype", "itemtype", "type",
                       "department")),
    Field("quantity", ("quantity", "qty", "availablequantity", "quantityavailable", "stock",
                       "count", "units", "quantitysold")),
    Field("currency", ("currency", "currencycode", "soldcurrency", "pricecurrency")),
)  # fmt: skip
"""Fields that items and listings have in common."""

_IN_ENGLISH = (
    Field("id", ("externalid", "id", "sku", "itemid", "customlabel", "customlabelsku",
                 "itemnumber", "itemno", "inventoryid", "inventorynumber", "inventoryno",
                 "stocknumber", "stockno", "stockid", "skunumber", "skuno", "productid",
                 "productnumber", "assetnumber", "assettag", "lotnumber", "reference",
                 "referencenumber", "refno", "ref", "number", "no", "nr")),
    *SHARED_FIELDS,
    Field("default_price", ("defaultprice", "price", "askingprice", "listprice", "listingprice",
                            "startprice", "buyitnowprice", "amount", "retailprice",
                            "value"), is_amount=True),
    Field("cost", ("cost", "costprice", "unitcost", "purchaseprice", "purchasecost", "buyprice",
                   "pricepaid", "acquisitioncost", "costofgoods", "cogs"), is_amount=True),
    Field("shipping_cost", ("shippingcost", "shippingexpense", "postagecost", "costofshipping"),
          is_amount=True),
    Field("lifecycle_status", ("lifecyclestatus", "status", "itemstatus", "listingstatus")),
    Field("photos", ("photos", "photo", "images", "image", "imageurl", "imageurls", "photourl",
                     "photourls", "pictures", "picture", "pictureurl", "pictureurls", "picurl",
                     "media", "imagelink", "additionalimagelink", "photopath", "imagepath",
                     "imagefile", "photofile"), many=True, is_numbered=True),
    Field("attributes", ("attributes", "itemspecifics", "specifics", "specifications")),
)  # fmt: skip

FIELDS = in_other_languages(_IN_ENGLISH)

_OURS = frozenset(
    {
        "id", "aireviewstate", "createdat", "updatedat", "version", "orgid", "notvalid",
        "listingchoices",
    }
)  # fmt: skip
"""Columns of our own export that whence keeps itself; `id` where another column is the id."""
_EXPORTED = frozenset({"id", "externalid", "version", "aireviewstate"})
"""Columns that a file has if it is our own export."""
NO_ID = (
    "No column holds an id, so each item is named by the content of its row (`content-...`): a row "
    "that changes becomes another item. If a column names the items, rename it to `id`."
)


def read_items(
    path: Path, mapping: Mapping[str, str] | None = None, *, at: datetime | None = None
) -> Reading[Item]:
    """The items in `path`; columns no one knows become attributes.

    `mapping` (header to field, `attr:NAME` or `ignore`) goes before the synonyms. Raises `Invalid`
    when the file cannot be read at all; a bad row comes out as `Refused`.
    """
    table = open_table(path, Layout(known_keys(FIELDS)))
    columns = match(
        table.headers, FIELDS, explicit=mapping, keep_unknown=True, never_attributes=_OURS
    )
    if "id" not in columns.positions:
        table = replace(table, notes=(*table.notes, NO_ID))
    return Reading(table, columns, at or now(), _item)


def _item(cells: Cells, _external_id: str, context: Context) -> Item:
    if cells.value("id") is None and _is_export(cells):
        reason = "It was not imported, so it has no externalId; change it in whence."
        raise RowRefused("id", cells.value("title"), reason)
    stated = cells.need("currency", currency)
    likely_currency = stated or context.columns.currency
    price = cells.need("default_price", lambda value: money(value, likely_currency))
    media, problems = photos.find(
        [photo for value in cells.all("photos") for photo in photos.split(_photos_of(value))],
        context.table.path.parent,
    )
    cells.warnings.extend(problems)
    warn_if_doubtful(cells, "default_price", price)
    quantity = cells.need("quantity", whole)
    code = currency_of(cells, price, stated) or likely_currency
    if price and code:
        cells.derived("currency")
    return Item(
        title=cells.required_line("title", 500),
        description=cells.long_text("description"),
        condition=condition_of(cells),
        attributes=_attributes(cells),
        media=media,
        gtin=cells.try_("gtin", gtin),
        brand=cells.try_("brand", name),
        model=cells.try_("model", name),
        mpn=cells.try_("mpn", name),
        category=cells.try_("category", name),
        quantity=1 if quantity is None else quantity,
        default_price=price.amount if price else None,
        cost=_own_amount(cells, "cost", code),
        shipping_cost=_own_amount(cells, "shipping_cost", code),
        currency=code or "USD",
        lifecycle_status=cells.try_("lifecycle_status", lifecycle_status) or LifecycleStatus.DRAFT,
    )


def _is_export(cells: Cells) -> bool:
    return {header_key(header) for header in cells.columns.headers} >= _EXPORTED


def _photos_of(value: object) -> object:
    """What a cell names as photographs; none if whence has stored one of them already."""
    names = from_json(value)
    each = cast(list[object], names) if isinstance(names, list) else []
    is_stored = any(
        bool(cast(dict[str, object], one).get("stored")) for one in each if isinstance(one, dict)
    )
    return None if is_stored else names


def from_json(value: object) -> object:
    """The list or object that a cell holds as JSON, as our own export writes it; else the value."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def currency_of(cells: Cells, price: Money | None, stated: str | None) -> str | None:
    """The currency that the price names; one that contradicts the currency column is refused."""
    named = price.currency if price else None
    if stated and named and named != stated:
        reason = f"The price is in {named}, the currency column says {stated}."
        raise RowRefused("currency", stated, reason)
    return named


def condition_of(cells: Cells) -> Condition | None:
    """The condition; a word that says more than ours does, such as `refurbished`, is noted."""
    result = cells.try_("condition", condition)
    if result is not None and is_refurbished(written := cells.value("condition")):
        words = result.value.replace("_", " ")
        cells.warnings.append(f"condition {shorten(written)!r} is read as {words}.")
    return result


def _own_amount(cells: Cells, field: str, code: str | None) -> float | None:
    """What the owner pays; an amount in another currency than the item's is left out and named."""
    amount = cells.try_(field, lambda value: money(value, code))
    warn_if_doubtful(cells, field, amount)
    if amount and amount.currency not in (None, code or "USD"):
        value = shorten(cells.value(field))
        stored = code or "USD"
        cells.warnings.append(f"{field} {value!r} is left out: the item's currency is {stored}.")
        return None
    return amount.amount if amount else None


def warn_if_doubtful(cells: Cells, field: str, price: Money | None) -> None:
    """Say how a price was read when its thousands and decimals look alike."""
    if price and price.doubtful:
        value = shorten(cells.value(field))
        cells.warnings.append(f"{field} {value!r} is read as {price.amount:,.3f}.")


def _attributes(cells: Cells) -> dict[str, str]:
    named: dict[str, object] = {}
    nested = from_json(cells.value("attributes"))
    if isinstance(nested, dict):
        named.update(cast(dict[str, object], nested))
    elif nested is not None:
        named["attributes"] = nested
    named.update(cells.unknown())
    attributes: dict[str, str] = {}
    for key, value in named.items():
        if is_blank(value):
            continue
        try:
            attributes[_attribute_name(key)] = _attribute(value)
        except BadValue as problem:
            cells.warnings.append(f"Attribute {shorten(key)!r} is left out: {problem.message}")
    if len(attributes) > MAX_ATTRIBUTES:
        cells.warnings.append(f"Only the first {MAX_ATTRIBUTES} attributes are kept.")
        attributes = dict(list(attributes.items())[:MAX_ATTRIBUTES])
    return attributes


def _attribute_name(key: str) -> str:
    name = line_of_text(key)
    if not 0 < len(name) <= MAX_ATTRIBUTE_NAME:
        raise BadValue(f"Its name needs 1 to {MAX_ATTRIBUTE_NAME} characters.")
    return name


def _attribute(value: object) -> str:
    if isinstance(value, list):
        value = ", ".join(text(inner) for inner in cast(list[object], value))
    line = text(value)
    if len(line) > MAX_ATTRIBUTE_VALUE:
        raise BadValue(f"Longer than {MAX_ATTRIBUTE_VALUE:,} characters.")
    return line
