"""What an importer looks at before the batch's transaction reaches its `write`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sdk.test_testing import FOLDER
from whence.sdk.testing import installation, load_pack

pytestmark = pytest.mark.anyio
LONG = 3_001


async def test_what_was_counted_before_the_transaction_warns_of_a_long_text(
    tmp_path: Path, postgres: str, empty_database: str
) -> None:
    file = tmp_path / "notes.jsonl"
    rows = [
        {"id": "n-1", "title": "Short", "text": "two words"},
        {"id": "n-2", "title": "Long", "text": "word " * LONG},
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    async with installation(load_pack(FOLDER), admin_url=empty_database) as installed:
        report = await installed.run_import("notes", file)
    assert report.added == len(rows)
    [warning] = report.warnings
    assert "This text is long" in warning
