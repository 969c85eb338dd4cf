"""A variable that sets nothing is told, with what may be meant and never with its value."""

from __future__ import annotations

import pytest

from whence.kernel.unknown_settings import unknown_settings

PACKS = {"resale": ("WHENCE_RESALE_OPENFACTS", "WHENCE_RESALE_EBAY_CLIENT_ID"), "memos": ()}


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("WHENCE_PROT", "WHENCE_PORT"),
        ("WHENCE_ACCOUNT", "WHENCE_ACCOUNTS"),
        ("whence_acounts", "WHENCE_ACCOUNTS"),
        ("WHENCE_DATABASEURL", "WHENCE_DATABASE_URL"),
        ("WHENCE_TRUSTED_PROXY", "WHENCE_TRUSTED_PROXIES"),
        ("WHENCE_RESALE_OPENFACT", "WHENCE_RESALE_OPENFACTS"),
        ("WHENCE_EBAY_CLIENT_ID", "WHENCE_RESALE_EBAY_CLIENT_ID"),
        ("WHENCE_XYLOPHONE", None),
    ],
)
def test_a_name_that_nothing_reads_is_told_with_the_nearest(name: str, nearest: str | None) -> None:
    [result] = unknown_settings(["HOME", name], PACKS)
    assert (result.name, result.nearest) == (name, nearest)
    assert ("did you mean" in str(result)) is (nearest is not None)


@pytest.mark.parametrize(
    "name",
    [
        "WHENCE_PORT",
        "whence_port",
        "WHENCE_RESALE_OPENFACTS",
        "WHENCE_MEMOS_ANYTHING",
        "WHENCE_TEST_FOLDER",
        "WHENCEFORTH",
        "OPENAI_API_KEY",
    ],
)
def test_a_name_that_is_read_or_is_none_of_ours_is_not_told(name: str) -> None:
    assert unknown_settings([name], PACKS) == []
