"""`whence export`: records as CSV and JSON, dossiers as Markdown, PDF and JSON."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import SAMPLE_PACKS
from whence.app.platform import Platform
from whence.cli.dossier_pdf import NoSuchFont, write_pdf
from whence.cli.dossier_report import Heading, Paragraph, Table, markdown, report_of
from whence.cli.export import UnwritableFile, _opened, shown_records  # pyright: ignore[reportPrivateUsage]
from whence.records import store
from whence.tenancy.principal import Principal

PACKS = {"WHENCE_PACK_DIRS": str(SAMPLE_PACKS)}
TITLES = ('Ordinary, with "quotes"', "=HYPERLINK(1)", "Łódź | Заметка", "メモ")


@pytest.fixture
def notes(shell: Any, tmp_path: Path) -> Any:
    file = tmp_path / "notes.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        rows = [(f"N-{n}", title, "some words") for n, title in enumerate(TITLES)]
        csv.writer(out).writerows([("id", "title", "text"), *rows])
    process = shell.run("import", "sample_pack.notes", file, **PACKS)
    assert process.returncode == 0, process.stderr
    return shell


def test_records_are_exported_as_csv_that_a_spreadsheet_runs_nothing_of(notes: Any) -> None:
    process = notes.run("export", "notes", **PACKS)

    assert process.returncode == 0, process.stderr
    rows = {row["externalId"]: row for row in csv.DictReader(io.StringIO(process.stdout))}
    shown = [rows[f"N-{n}"]["title"] for n in range(len(TITLES))]
    assert shown == [TITLES[0], f"'{TITLES[1]}", *TITLES[2:]]
    assert "4 exported" in process.stderr


def test_records_are_exported_as_json_also_filtered_and_into_a_new_file(
    notes: Any, tmp_path: Path
) -> None:
    out = tmp_path / "notes.json"
    words = ("export", "notes", "--format", "json", "--filter", f"title={TITLES[3]}")

    process = notes.run(*words, "--out", out, **PACKS)
    again = notes.run(*words, "--out", out, **PACKS)
    none = notes.run("export", "notes", "--format", "json", "--filter", "title=x", **PACKS)

    assert process.returncode == 0, process.stderr
    assert [each["title"] for each in json.loads(out.read_text("utf-8"))] == [TITLES[3]]
    assert again.returncode != 0
    assert "exists already" in again.stderr
    assert json.loads(none.stdout) == []


def test_a_dossier_is_exported_with_its_evidence(notes: Any, tmp_path: Path) -> None:
    early = notes.run("export", "notes/N-2", **PACKS)
    assert "whence research notes/N-2" in early.stderr
    assert notes.run("research", "notes/N-2", **PACKS).returncode == 0
    pdf = tmp_path / "note.pdf"

    text = notes.run("export", "notes/N-2", **PACKS)
    as_json = notes.run("export", "notes/N-2", "--format", "json", **PACKS)
    written = notes.run("export", "notes/N-2", "--format", "pdf", "--out", pdf, **PACKS)

    assert text.stdout.startswith("# Note: Łódź | Заметка\n")
    assert "## Conclusions" in text.stdout
    assert "## What was counted" in text.stdout  # the pack's own part
    dossier = json.loads(as_json.stdout)["dossier"]
    assert all(claim["statement"].split()[0] in text.stdout for claim in dossier["claims"])
    assert written.returncode == 0, written.stderr
    assert pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        (("notes", "--format", "pdf"), "as csv or json"),
        (("notes/N-1", "--format", "csv"), "as md, pdf or json"),
        (("notes/N-1", "--format", "pdf"), "add --out"),
        (("notes/N-1", "--filter", "title=x"), "for the records of a kind"),
        (("notes", "--filter", "colour=red"), "no 'colour'"),
        (("notes/N-99",), "no"),
    ],
)
def test_what_cannot_be_exported_is_refused_with_the_fix(
    notes: Any, words: tuple[str, ...], fix: str
) -> None:
    refused = notes.run("export", *words, **PACKS)

    assert refused.returncode == 2, refused.stderr
    assert fix in refused.stderr
    assert refused.stdout == ""


@pytest.mark.parametrize("words", [("notes",), ("notes", "--format", "json"), ("notes/N-1",)])
def test_a_file_that_cannot_be_written_is_named_in_one_line(
    notes: Any, tmp_path: Path, words: tuple[str, ...]
) -> None:
    nowhere = notes.run("export", *words, "--out", tmp_path / "nosuch" / "x.md", **PACKS)

    assert nowhere.returncode == 2, nowhere.stderr
    assert "There is no folder" in nowhere.stderr
    assert "Traceback" not in nowhere.stderr
    assert len(nowhere.stderr.strip().splitlines()) == 1


def test_an_unwritable_file_is_named_with_the_fix() -> None:
    with (
        pytest.raises(UnwritableFile, match=r"cannot be written .*--out"),
        _opened(Path("/proc/x")),
    ):
        pass


def test_evidence_shows_price_status_and_day() -> None:
    listing = {
        "id": "1", "title": "Lamp", "source": "library", "sourceId": "L-1", "url": None,
        "role": "comp", "included": True, "reason": "", "type": "sold_listing", "price": 40.0,
        "currency": "USD", "soldAt": "2026-10-01T00:00:00Z", "condition": "good",
        "observedAt": None, "data": {"shipping": 5.0},
    }  # fmt: skip
    record = listing | {"id": "2", "type": "record", "price": None, "soldAt": None}
    dossier = {"createdAt": "x", "summary": "s", "notices": [], "notDone": [], "claims": []}

    text = markdown(report_of("Item", {"title": "Lamp"}, dossier, [listing, record]))

    assert "| No. | Title | Source | What it is | Price | Date | Role |" in text
    assert "| sold listing, good | USD 40.00 + 5.00 shipping | 2026-10-01 | comp |" in text
    plain = markdown(report_of("Item", {"title": "Lamp"}, dossier, [record | {"condition": None}]))
    assert "| No. | Title | Source | What it is | Role |" in plain


def test_texts_of_others_are_inert_in_markdown() -> None:
    hostile = "<script>x</script> ![a](http://evil.example/a.png) | b"

    text = markdown([Heading(hostile, 1), Table(("A",), [(hostile,)])])

    assert "\\<script" in text
    assert "\\!\\[a\\](`http://evil.example/a.png)`" in text or "`http" in text
    assert "\\| b" in text.splitlines()[-1]


def test_a_pdf_names_the_characters_that_it_cannot_show(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    blocks = [
        Heading("Title <b>& more</b>", 1),
        Paragraph("Latin, メモ, 한국어, عربي"),
        Table(("No.", "Title"), [(str(n), "words " * 400) for n in range(40)]),
    ]

    missing, left_to_reader = write_pdf(blocks, path)

    assert missing == "This PDF cannot show 4 characters: U+0628 U+0631 U+0639 U+064A."
    assert "fonts of the PDF reader" in left_to_reader
    content = path.read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"HeiseiKakuGo-W5" in content
    assert content.count(b"/Type /Page\n") > 3


def test_a_pdf_that_shows_all_has_no_notice(tmp_path: Path) -> None:
    assert write_pdf([Paragraph("Latin, é")], tmp_path / "a.pdf") == []


def test_a_font_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "font.ttf"
    path.write_text("no font")

    for font in (path, tmp_path / "missing.ttf"):
        with pytest.raises(NoSuchFont, match=r"TrueType file"):
            write_pdf([Paragraph("x")], tmp_path / "a.pdf", font)
    assert not (tmp_path / "a.pdf").exists()


@pytest.mark.anyio
async def test_what_records_refer_to_is_read_a_page_at_a_time(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, who = platform.kind("items"), platform.owner
    opened: list[Principal] = []
    unit = Platform.unit

    def counted(self: Platform, principal: Principal) -> Any:
        opened.append(principal)
        return unit(self, principal)

    async def exported() -> tuple[int, int]:
        opened.clear()
        titles = [record["title"] async for record in shown_records(platform, kind, [])]
        return len(titles), len(opened)

    async with platform.unit(who) as session:
        await store.create(session, who, kind, kind.record(title="Lamp"))
    monkeypatch.setattr(Platform, "unit", counted)
    assert await exported() == (1, 2)
    async with unit(platform, who) as session:
        for title in ("Chair", "Table"):
            await store.create(session, who, kind, kind.record(title=title))
    assert await exported() == (3, 2)
