"""Demand counts the listings that may set the price, and no accessories or kits."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.anyio
BODY = "Corvane L3 camera body"
OTHERS = {
    "grip": ("Corvane L3 battery grip", 35.0),
    "kit": ("Corvane L3 with 18-135 lens kit", 610.0),
    "strap": ("Neck strap for Corvane L3 camera", 9.0),
}


def market(folder: Path) -> Path:
    """Eight bodies sold and two on offer, and three sales of other things."""
    path = folder / "listings.csv"
    listed, sold = (datetime.now(UTC) - timedelta(days=ago) for ago in (30, 10))
    rows = [(f"S{n}", f"{BODY} {n} clicks", "sold", 400.0 + n) for n in range(8)]
    rows += [(f"A{n}", f"{BODY} no. {n}", "active", 450.0 + n) for n in range(2)]
    rows += [(key, title, "sold", price) for key, (title, price) in OTHERS.items()]
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "title", "status", "price", "date listed", "date sold"])
        for key, title, status, price in rows:
            closed = sold.isoformat() if status == "sold" else ""
            out.writerow([key, title, status, price, listed.isoformat(), closed])
    return path


async def test_demand_cites_the_listings_behind_the_price(desk: Any, tmp_path: Path) -> None:
    await desk.imported("listings", market(tmp_path))
    item = await desk.item(title=BODY, brand="Corvane", model="L3", condition="good")
    research = await desk.research(item)
    assert not any(research.comps[key]["included"] for key in OTHERS)
    priced = {used["evidenceId"] for used in research.body["price"]["used"]}
    [claim] = research.claims("demand.sell_through")
    assert {cite["evidenceId"] for cite in claim["evidence"]} == priced
    assert claim["statement"].startswith("8 of 10 sold in 90 days")
