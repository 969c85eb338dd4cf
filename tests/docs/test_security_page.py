"""Every promise of the security page names a test that is there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_every_file_that_a_promise_names_is_there(
    page: Callable[[str], Any], repository: Path
) -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)`", page("docs/security.md").text))
    assert len(named) > 25
    assert [path for path in sorted(named) if not (repository / path).is_file()] == []


def test_every_promise_has_a_test(page: Callable[[str], Any], table_rows: Any) -> None:
    promised = page("docs/security.md").section(
        "What is promised, how it is kept, where it is tested"
    )
    rows = table_rows(promised)
    assert len(rows) > 25
    assert [row[0] for row in rows if "tests/" not in row[-1]] == []
