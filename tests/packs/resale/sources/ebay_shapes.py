"""Answers as eBay documents them, for a local server to give."""

from __future__ import annotations

TOKEN = "/identity/v1/oauth2/token"
ACTIVE = "/buy/browse/v1/item_summary/search"
SOLD = "/buy/marketplace_insights/v1_beta/item_sales/search"
GTIN = "00012345678905"
SECRETS = ("ebay-s3cret", "app-id", "tok-1", "tok-2")


def token(number: int = 1, seconds: object = 7200) -> dict[str, object]:
    return {
        "access_token": f"tok-{number}",
        "expires_in": seconds,
        "token_type": "Application Access Token",
    }


def summary(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "itemId": "v1|110001|0",
        "title": "Acme Zoom 5 camera, boxed",
        "price": {"value": "189.99", "currency": "USD"},
        "condition": "Used",
        "conditionId": "3000",
        "itemWebUrl": "https://www.ebay.com/itm/110001",
        "categories": [{"categoryId": "31388", "categoryName": "Digital Cameras"}],
        "shippingOptions": [
            {"shippingCostType": "FIXED", "shippingCost": {"value": "7.50", "currency": "USD"}},
            {"shippingCostType": "CALCULATED"},
        ],
        "itemCreationDate": "2026-05-01T10:00:00.000Z",
        "buyingOptions": ["FIXED_PRICE"],
        "seller": {"username": "someone", "feedbackScore": 10},
    }
    return row | changes


def sale(**changes: object) -> dict[str, object]:
    row: dict[str, object] = {
        "itemId": "v1|220002|0",
        "title": "Acme Zoom 5",
        "lastSoldPrice": {"value": "150.00", "currency": "USD"},
        "lastSoldDate": "2026-04-30T08:15:00.000Z",
        "totalSoldQuantity": 3,
        "conditionId": "7000",
    }
    return row | changes


def summaries(*rows: object) -> dict[str, object]:
    return {"href": "…", "total": len(rows), "limit": 10, "offset": 0, "itemSummaries": rows}
