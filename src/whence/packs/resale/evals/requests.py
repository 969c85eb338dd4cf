"""resale.requests: what everyday messages about an item lead to by rules, end to end."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from whence.packs.resale import items
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.records import Condition, Item, LifecycleStatus
from whence.sdk.chat import RecordView
from whence.sdk.requests import RequestsReport, requests_report, view_for

SETS = {
    "tuning": "requests.jsonl",
    "fresh": "requests_fresh.jsonl",
    "second": "requests_second.jsonl",
    "third": "requests_third.jsonl",
    "fourth": "requests_fourth.jsonl",
    "fifth": "requests_fifth.jsonl",
    "sixth": "requests_sixth.jsonl",
}
"""Files by the name of their set.

Both were written before the rules that read them; the rules and their examples were chosen by the
first, and the second was kept aside.
"""


def view() -> RecordView:
    """The item that the messages are about."""
    item = Item(
        title="Aurelia QuietBand 700 headphones",
        description="Bought in 2024, box included.",
        condition=Condition.GOOD,
        brand="Aurelia",
        model="QuietBand 700",
        mpn="AQ-700",
        quantity=2,
        default_price=155,
        lifecycle_status=LifecycleStatus.READY,
    )
    bands = {"floor": 128.0, "target": 148.5, "ceiling": 171.0}
    claims = {f"price.{name}.amount": value for name, value in bands.items()}
    return view_for(items.ITEMS, item, datetime(2026, 11, 2, tzinfo=UTC), claims)


def requests(data: Path) -> Mapping[str, RequestsReport]:
    """Read the messages of each set; raises Invalid where a file is missing or malformed."""
    return {name: requests_report(data / file, CHAT, view()) for name, file in SETS.items()}
