"""What cannot be read is named by its true cause: long cells, open quotes, wrapped JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from whence.kernel.errors import Invalid
from whence.records.imports.background import plain_name
from whence.records.tabular.csv_records import MAX_CELL_CHARACTERS
from whence.records.tabular.raw import BadLine, RawRow
from whence.sdk.tabular import Field, Layout, known_keys, match, open_table

Write = Callable[..., Path]
FIELDS = (Field("id", ("id",)), Field("title", ("title", "name"), is_required=True))
KNOWN = Layout(known_keys(FIELDS))
ROWS = "".join(f"{number},title {number}\n" for number in range(60_000))


def rows(path: Path) -> tuple[list[RawRow], list[BadLine]]:
    every = list(open_table(path, KNOWN).rows)
    good = [each for each in every if isinstance(each, RawRow)]
    return good, [each for each in every if isinstance(each, BadLine)]


def test_a_cell_of_a_million_characters_is_read(write: Write) -> None:
    text = "x" * MAX_CELL_CHARACTERS
    good, bad = rows(write(f"id,title\n1,{text}\n2,short\n"))
    assert [len(str(row.cells[1])) for row in good] == [MAX_CELL_CHARACTERS, 5]
    assert bad == []


@pytest.mark.parametrize("inner", ["x", "word, word\n"])
def test_a_cell_that_is_too_long_is_named_by_line_and_column(write: Write, inner: str) -> None:
    text = inner * (MAX_CELL_CHARACTERS // len(inner) + 2)
    good, bad = rows(write(f'id,title,note\n1,a,b\n2,"an, a","{text}"\n3,c,d\n'))
    assert bad[0].line == 3
    assert bad[0].reason == "The cell in column 3 is longer than 1,000,000 characters; shorten it."
    assert good[-1].cells[0] == "3"


def test_an_open_quote_costs_one_row_of_a_long_file(write: Write) -> None:
    good, [bad] = rows(write(f'id,title\na,A\nb,"B\n{ROWS}'))
    assert bad.line == 3
    assert bad.reason.startswith("A quote that opens here is not closed")
    assert len(good) == 60_001
    assert good[-1].line == 60_003


def test_the_header_to_write_is_named(write: Write) -> None:
    table = open_table(write("id,colour\n1,red\n"), KNOWN)
    with pytest.raises(Invalid, match=r"headers are 'id', 'colour'\. Rename .* to title or name;"):
        match(table.headers, FIELDS)


@pytest.mark.parametrize(
    "text",
    [
        '{"items": [{"id": 1, "title": "A"}, {"id": 2, "title": "B"}]}',
        '{"items": [\n{"id": 1, "title": "A"},\n{"id": 2, "title": "B"}\n]}',
        '{\n  "items": [\n    {\n      "id": 1\n    }\n  ]\n}\n',
    ],
)
def test_records_inside_an_object_are_refused_with_what_is_accepted(
    write: Write, text: str
) -> None:
    words = r"with the records in 'items'\. Write the records as an array, \[\{…\}, \{…\}\], or one"
    with pytest.raises(Invalid, match=words):
        open_table(write(text, "export.json"), KNOWN)


def test_one_object_over_several_lines_is_refused_with_what_is_accepted(write: Write) -> None:
    with pytest.raises(Invalid, match="one JSON object over several lines"):
        open_table(write('{\n  "id": 1,\n  "title": "A"\n}\n', "one.json"), KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 1, "title": "A", "media": [{"url": "a"}]}\n',
        '{"id": 1, "title": "A"\n{"id": 2, "title": "B"}\n',
    ],
)
def test_a_record_with_a_list_and_a_broken_line_are_read_as_before(write: Write, text: str) -> None:
    good, _ = rows(write(text, "one.jsonl"))
    assert len(good) == 1


def test_elements_on_one_line_are_counted(write: Write) -> None:
    table = open_table(write('[{"id": 1, "title": "A"}, null, {"id": NaN}]', "a.json"), KNOWN)
    assert "the third element of the array" in table.notes[0]
    first, second, third = table.rows
    assert isinstance(first, RawRow)
    assert second == BadLine(2, "null", "A JSON object is needed, not null.")
    assert third == BadLine(3, "NaN", "'id' is not a finite number.")


def test_elements_on_lines_of_their_own_keep_their_lines(write: Write) -> None:
    table = open_table(write('[\n{"title": "A"},\n7\n]', "a.json"), KNOWN)
    assert [row.line for row in table.rows] == [2, 3]
    assert table.notes == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", r"file\.csv is an image \(PNG\), not a table\."),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", r"is an image \(JPEG\)"),
        (bytes(range(256)) * 8, "is not a table: much of it is not text"),
    ],
)
def test_a_file_that_is_no_table_says_what_it_is(write: Write, content: bytes, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        open_table(write(content), KNOWN)


@pytest.mark.parametrize(
    ("filename", "plain"),
    [
        ("../Été 1.CSV", "Été 1.CSV"),
        ("C:\\exports\\a.xlsx", "a.xlsx"),
        ("..", "upload"),
        ("a\x00b\n.csv", "ab .csv"),
        (f"{'é' * 300}.jsonl", f"{'é' * 100}.jsonl"),
    ],
)
def test_a_file_keeps_its_name_where_that_is_safe(filename: str, plain: str) -> None:
    assert plain_name(filename) == plain
