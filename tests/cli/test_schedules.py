"""`whence schedules`: what a person types, and what is printed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from conftest import SAMPLE_PACKS
from whence.cli.app import app
from whence.cli.schedules import _seconds
from whence.kernel.errors import Invalid
from whence.kernel.settings import Settings


@pytest.fixture
def whence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command in this process, on the test's database; its output."""
    assert settings.database_url
    monkeypatch.setenv("WHENCE_DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("WHENCE_HOME", str(settings.home))
    monkeypatch.setenv("WHENCE_PACK_DIRS", str(SAMPLE_PACKS))

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["schedules", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    return run


def test_a_schedule_from_add_to_remove(whence: Any) -> None:
    assert "No schedules; `whence schedules add` sets one." in whence("list")
    made = json.loads(
        whence(
            *("add", "Notes [weekly]", "--payload", '{"kind": "notes"}', "--cron", "0 6 * * mon"),
            *("--time-zone", "Europe/Berlin", "--json"),
        )
    )
    lines = whence("show", made["id"]).splitlines()
    assert lines[0] == f"{made['id']}  Notes [weekly]"
    assert lines[1] == 'Starts: research_records {"kind": "notes"}'
    assert lines[2] == "When: At 06:00 on Monday (Europe/Berlin)"
    assert lines[4] == "Last: never"
    assert "Next: paused" in whence("pause", made["id"])
    assert "When: Every 6 hours" in whence("change", made["id"], "--every", "6h")
    assert "Next: paused" not in whence("resume", made["id"])
    assert "started, job pending" in whence("start", made["id"])
    assert made["id"] in whence("list")
    assert [each["id"] for each in json.loads(whence("list", "--json"))["schedules"]] == [
        made["id"]
    ]
    assert whence("remove", made["id"]) == "Removed.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--cron", "soon"), "'soon' is not a cron expression"),
        (("--every", "often"), "'often' is no interval; .* such as 6h"),
        (("--every", "6h", "--payload", "{"), "not JSON"),
        (("--every", "6h", "--payload", "[]"), "JSON object"),
        (("--every", "6h", "--payload", '{"kind": "ships"}'), "no subject kind 'ships'"),
        ((), "either a cron expression or an interval"),
    ],
)
def test_what_is_wrong_is_named(whence: Any, arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(Invalid, match=words):
        whence("add", "A", *arguments)


def test_intervals() -> None:
    assert [_seconds(each) for each in ("90s", "30m", "6h", "7d", None)] == [
        *(90, 1800, 21_600, 604_800),
        None,
    ]
