"""What `whence doctor` says about the resale pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from whence.packs.resale.checks import checks

pytestmark = pytest.mark.anyio


async def test_tables_of_the_operator_are_read_and_a_bad_one_names_its_setting(
    platform: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = {check.name: check for check in checks(platform.setup)}
    assert shipped["fee table"].works
    assert shipped["price assumptions"].works
    monkeypatch.setenv("WHENCE_RESALE_FEE_TABLE", str(tmp_path / "none.toml"))
    broken = tmp_path / "broken.toml"
    broken.write_text("this is = = no table")
    monkeypatch.setenv("WHENCE_RESALE_ASSUMPTIONS", str(broken))
    result = {check.name: check for check in checks(platform.setup)}
    assert not result["fee table"].works
    assert result["fee table"].setting == "WHENCE_RESALE_FEE_TABLE"
    assert not result["price assumptions"].works
    assert broken.name in result["price assumptions"].detail
