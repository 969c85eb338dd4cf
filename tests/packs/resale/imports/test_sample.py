"""The sample data asserts itself, and the public data sets import whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest
import yaml

from whence.packs.resale import imports
from whence.packs.resale.imports import Refused, Row, read_items, read_listings

SAMPLE = Path(imports.__file__).parent.parent / "sample"
DATA = Path(__file__).parents[5] / "shared" / "data" / "resale"
LABELLED = ("walmart_amazon", "amazon_google", "wdc_cameras")


def expected(part: str) -> Mapping[str, int]:
    whole = cast(dict[str, dict[str, int]], yaml.safe_load((SAMPLE / "expect.yml").read_text()))
    return whole[part]


def test_the_sample_items_are_as_expected() -> None:
    rows = list(read_items(SAMPLE / "items.csv"))
    read = [row for row in rows if isinstance(row, Row)]
    records = [row.record for row in read]
    assert {
        "rows": len(records),
        "refused": len(rows) - len(records),
        "warnings": sum(len(row.warnings) for row in read),
        "photographs": sum(len(item.media) for item in records),
        "with_gtin": sum(item.gtin is not None for item in records),
    } == expected("items")
    assert records[0].model == "QB-700"


def test_the_sample_listings_are_as_expected() -> None:
    rows = list(read_listings(SAMPLE / "listings.csv"))
    read = [row for row in rows if isinstance(row, Row)]
    statuses = Counter(row.record.status.value for row in read)
    assert {
        "rows": len(read),
        "refused": len(rows) - len(read),
        "warnings": sum(len(row.warnings) for row in read),
        **statuses,
        "with_gtin": sum(row.record.gtin is not None for row in read),
    } == expected("listings")


@pytest.mark.parametrize("folder", LABELLED)
def test_labelled_data_imports_without_a_refusal(folder: str) -> None:
    if not (DATA / folder).is_dir():
        pytest.skip(f"the public data sets are not beside the repository ({folder})")
    for read, name in ((read_items, "items.jsonl"), (read_listings, "listings.jsonl")):
        path = DATA / folder / name
        rows = list(read(path))
        assert [row for row in rows if isinstance(row, Refused)] == []
        assert len(rows) == len(path.read_text().splitlines())
