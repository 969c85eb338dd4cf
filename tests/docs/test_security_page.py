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
    tests = {path for path in named if Path(path).name.startswith("test_")}
    assert [path for path in sorted(named) if not (repository / path).is_file()] == []
    empty = [path for path in tests if "def test_" not in (repository / path).read_text()]
    assert empty == []


def test_every_promise_has_a_test(page: Callable[[str], Any], table_rows: Any) -> None:
    promised = page("docs/security.md").section("Promises, their protection and their tests")
    rows = table_rows(promised)
    assert len(rows) > 25
    assert [row[0] for row in rows if not re.search(r"`tests/[\w/]*/test_\w+\.py", row[-1])] == []


def test_every_part_of_the_code_that_keeps_a_promise_is_there(
    page: Callable[[str], Any], repository: Path
) -> None:
    promised = page("docs/security.md").section("Promises, their protection and their tests")
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", str(promised))) - set(
        re.findall(r"`(tests/[\w/]+\.py)`", str(promised))
    )
    assert named
    assert [
        path for path in sorted(named) if not (repository / "src/whence" / path).is_file()
    ] == []
