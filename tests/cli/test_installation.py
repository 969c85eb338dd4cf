"""What the doctor finds wrong with an installation, each with its fix."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from whence.app.platform import Platform
from whence.cli import installation
from whence.cli.installation import Snapshot
from whence.db.figures import Figure, own_revision
from whence.kernel.settings import Settings
from whence.sdk import Check

FINE = Snapshot("18.4", 18, timedelta(), True, 0, 0, "0007", [Figure("workers", "", 2)])


def check(name: str, snapshot: Snapshot = FINE, **settings: object) -> Check:
    result = Settings.model_validate({"home": "/nonexistent/whence"} | settings)
    return next(item for item in installation.checks(result, snapshot) if item.name == name)


@pytest.mark.anyio
async def test_a_fresh_installation_is_sound(platform: Platform) -> None:
    snapshot = await installation.take_snapshot(platform)
    assert snapshot.revision == own_revision()
    first = installation.database(platform.settings, snapshot)
    assert f"revision {own_revision()}" in first.detail
    unsound = [item for item in installation.checks(platform.settings, snapshot) if not item.works]
    assert [item.name for item in unsound] in ([], ["home"])


def test_a_role_that_row_security_does_not_bind_is_named() -> None:
    result = check("tenants", replace(FINE, bound=False))
    assert not result.works
    assert "BYPASSRLS" in result.detail


@pytest.mark.parametrize(("seconds", "works"), [(0, True), (1.9, True), (-2.1, False), (60, False)])
def test_clocks_that_differ_are_named(seconds: float, works: bool) -> None:
    result = check("clock", replace(FINE, skew=timedelta(seconds=seconds)))
    assert result.works is works
    assert ("NTP" in result.detail) is not works


def test_work_without_workers_and_work_that_waits_too_long_are_named() -> None:
    waiting = [Figure("queue_depth", "0", 3), Figure("queue_oldest_seconds", "0", 301)]
    nobody = replace(FINE, figures=waiting)
    assert "start `whence worker`" in check("workers", nobody).detail
    assert not check("queue", nobody).works
    few = replace(FINE, figures=[*waiting, Figure("workers", "", 1)])
    assert check("workers", few).works
    assert "more workers" in check("queue", few).detail
    assert check("queue").detail == "nothing waits"


def test_runs_that_wait_for_a_person_are_named() -> None:
    assert check("paused runs", replace(FINE, paused=3)).works
    assert (
        "answer them" in check("paused runs", replace(FINE, paused=3, waiting_for_person=1)).detail
    )


def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    result = check("home", home=file / "home")
    assert (result.works, result.setting) == (False, "WHENCE_HOME")


def test_a_server_newer_than_every_pg_dump_is_named() -> None:
    assert "postgresql-client-99" in check("backup", replace(FINE, major=99)).detail
    assert check("backup").works


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({}, set()),
        ({"host": "0.0.0.0"}, {"accounts"}),
        ({"public_url": "https://whence.example.org"}, {"accounts"}),
        ({"accounts": True}, set()),
        ({"accounts": True, "host": "0.0.0.0"}, {"public address"}),
        (
            {"accounts": True, "public_url": "http://whence.example.org"},
            {"public address", "proxies"},
        ),
        ({"accounts": True, "public_url": "https://whence.example.org"}, {"proxies"}),
        (
            {
                "accounts": True,
                "public_url": "https://whence.example.org",
                "trusted_proxies": "127.0.0.1",
            },
            set(),
        ),
    ],
)
def test_access_that_is_set_up_badly_is_named(settings: dict[str, object], wrong: set[str]) -> None:
    listed = installation.access(Settings.model_validate(settings))
    assert {item.name for item in listed if not item.works} == wrong
    assert all(item.setting for item in listed if not item.works)
