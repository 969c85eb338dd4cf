"""Which encoding a file is read in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from whence.records.tabular.encodings import encoding_of

Write = Callable[..., Path]
RUSSIAN = "Москва, улица Ленина;12\nСанкт-Петербург, Невский проспект;13\n"
JAPANESE = "東京都渋谷区、株式会社;12\n大阪府大阪市、有限会社;13\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"name,price\nLamp,12\n", "utf-8-sig"),
        ("name\nCafé\n".encode("utf-8-sig"), "utf-8-sig"),
        ("name\nCafé\n".encode("utf-16"), "utf-16"),
        ("name\nCafé\n".encode("utf-32"), "utf-32"),
        ("name,price\nCafé,12\n".encode("utf-16-le"), "utf-16-le"),
        ("name,price\nCafé,12\n".encode("utf-16-be"), "utf-16-be"),
        (b"Net Amount (\xa3),Name\n", "cp1252"),
        ("Überweisung;Größe;Müller\n".encode("cp1252") * 200, "cp1252"),
        ("Café tray – old\n".encode("cp1252"), "cp1252"),
        ((RUSSIAN * 20).encode("cp1251"), "cp1251"),
        ((JAPANESE * 20).encode("shift_jis"), "shift_jis"),
    ],
)
def test_the_encoding(write: Write, content: bytes, encoding: str) -> None:
    assert encoding_of(write(content))[0].replace("_", "").replace("-", "") == (
        encoding.replace("_", "").replace("-", "")
    )


def test_a_short_file_is_not_guessed_at(write: Write) -> None:
    assert encoding_of(write("Москва\n".encode("cp1251")))[0] == "cp1252"


def test_what_is_not_utf8_is_noted(write: Write) -> None:
    [note] = encoding_of(write(b"\xa3 12\n"))[1]
    assert "Windows-1252" in note
