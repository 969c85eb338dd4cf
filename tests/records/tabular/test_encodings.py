"""Which encoding a file is read in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from whence.kernel.errors import Invalid
from whence.records.tabular.encodings import CHUNK_BYTES, encoding_of
from whence.records.tabular.raw import BadLine, RawRow
from whence.records.tabular.table import open_table

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


@pytest.mark.parametrize("times", [1, 3, 10, 60])
@pytest.mark.parametrize(
    ("encoding", "row"),
    [
        ("shift_jis", "ヘッドホン 黒 良品,10,JPY,new,ソニー"),
        ("euc_jp", "ヘッドホン 黒 良品,10,JPY,new,ソニー"),
        ("gb18030", "红色 杯子 旧 二手 家具,10,CNY,新"),
        ("big5", "紅色 杯子 舊 二手 傢俱,10,TWD,新"),
        ("euc_kr", "빨간 컵 중고 파란 램프,10,KRW,새것"),
        ("cp1253", "Κόκκινο φλιτζάνι παλιό,12,EUR,new"),
        ("cp1255", "כוס אדומה ישנה ומנורה כחולה,12,ILS,new"),
        ("cp1256", "كوب أحمر قديم ومصباح أزرق,12,EGP,new"),
        ("cp1251", "Красная чашка и лампа,12,RUB,new"),
    ],
)
def test_a_short_file_in_another_script_is_read_rightly_or_refused(
    write: Write, encoding: str, row: str, times: int
) -> None:
    rows = "".join(f"S-{number},{row}\n" for number in range(times))
    path = write(f"id,title,price,currency,condition\n{rows}".encode(encoding))
    try:
        name, notes = encoding_of(path)
    except Invalid as refused:
        assert "Save the file as “CSV UTF-8”" in str(refused)  # noqa: PT017
        # cp1255 reads as Cyrillic, Greek and Hebrew alike; one row is too little to go by.
        assert times == 1 or encoding == "cp1255"
        return
    if name == "cp1252":
        assert times == 1  # too little to go by
        return
    assert path.read_bytes().decode(name) == path.read_bytes().decode(encoding)
    assert "text (" in notes[0]


def test_a_short_file_is_not_guessed_at(write: Write) -> None:
    assert encoding_of(write("Москва\n".encode("cp1251")))[0] == "cp1252"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            b"a\nb\n\xa3 12\n",
            "as Excel saves. If a letter such as ä or é is wrong (first in line 3)",
        ),
        ("name\nCafé\n".encode("utf-16"), "read as UTF-16"),
        (
            "name\nŁódź\n".encode() + b"\xff\n",
            "Part of the file is not UTF-8 (first in line 3)",
        ),
    ],
)
def test_what_is_not_utf8_is_noted(write: Write, content: bytes, words: str) -> None:
    [note] = encoding_of(write(content))[1]
    assert words in note


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_one_bad_byte_does_not_change_the_encoding_of_the_file(write: Write, bom: bytes) -> None:
    accent = b"" if bom else "é".encode()
    assert encoding_of(write(bom + b"name\nCaf" + accent + b"\nLamp \xff\n"))[0] == "utf-8-sig"


@pytest.mark.parametrize("is_array", [False, True])
def test_a_row_that_is_not_utf8_is_refused_and_the_others_are_kept(
    write: Write, is_array: bool
) -> None:
    objects = ['{"title": "Łódź"}'.encode(), b'{"title": "Caf\xe9"}', b'{"title": "Lamp"}']
    content = b"[" + b",\n".join(objects) + b"]" if is_array else b"\n".join(objects)
    first, bad, last = open_table(write(content)).rows
    assert isinstance(bad, BadLine)
    assert (bad.line, bad.value.replace("'", '"')) == (2, '{"title": "Caf\ufffd"}')
    assert "0xE9" in bad.reason
    assert [first.cells for first in (first, last) if isinstance(first, RawRow)] == [
        ["Łódź"],
        ["Lamp"],
    ]


def test_a_header_that_is_not_utf8_is_read_with_a_sign_in_its_place(write: Write) -> None:
    table = open_table(write("título,pre".encode() + b"\xe7o\nLamp,1\n"))
    assert table.headers == ("título", "pre\ufffdo")


def test_what_cannot_be_read_in_the_middle_of_a_large_file_names_its_line(write: Write) -> None:
    rows = "Łódź lamp,12\n" * 100_000
    path = write(rows.encode() + b"Lamp \xff,2\n" + rows.encode())
    assert path.stat().st_size > 2 * CHUNK_BYTES
    assert "first in line 100001" in encoding_of(path)[1][0]


_PLAIN = ",4500.00,RUB,used,Zenit,ET-12345,SKU-0001,Cameras and photo,Kitchen and garden,2025\n"


@pytest.mark.parametrize("encoding", ["koi8_r", "cp1251"])
@pytest.mark.parametrize("rows", [1, 5, 200])
def test_titles_in_another_script_among_latin_columns_are_never_read_as_latin(
    write: Write, encoding: str, rows: int
) -> None:
    titles = ["Фотоаппарат Зенит", "Пылесос Ракета", "Самовар электрический"]
    text = "title,price\n" + "".join(f"{title}{_PLAIN}" for title in titles) * rows
    assert encoding_of(write(text.encode(encoding)))[0] == encoding


@pytest.mark.parametrize("encoding", ["cp866", "iso8859_5", "koi8_r"])
def test_a_few_words_of_another_script_are_refused_if_their_encoding_is_open(
    write: Write, encoding: str
) -> None:
    text = "title,price\n" + "Nikon camera body, boxed,450\n" * 40 + "Пылесос Ракета,30\n"
    with pytest.raises(Invalid, match="Save the file as “CSV UTF-8”"):
        encoding_of(write(text.encode(encoding)))


@pytest.mark.parametrize(
    "words", ["Größe für Mädchen, weiß", "Théière créée, naïve œuvre", "Señor añejo, ¿qué?", "5 €™"]
)
def test_latin_languages_stay_windows_1252(write: Write, words: str) -> None:
    text = "title,price\n" + f"{words},12,USD,used,plain text of other columns\n" * 40
    assert encoding_of(write(text.encode("cp1252")))[0] == "cp1252"
