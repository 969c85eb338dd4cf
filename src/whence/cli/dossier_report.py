"""A dossier as a document to hand on: headings, paragraphs and tables, in Markdown or PDF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from whence.chat.transcript.export import inert
from whence.sdk.pack import ReportPart

Row = Sequence[str]


@dataclass(frozen=True)
class Heading:
    """The heading of a part; `level` 1 is the title."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows below a header, all of plain text."""

    header: Row
    rows: Sequence[Row]


Block = Heading | Paragraph | Table


def report_of(
    kind_title: str,
    record: Mapping[str, Any],
    dossier: Mapping[str, Any],
    evidence: Sequence[Mapping[str, Any]],
    parts: Sequence[ReportPart] = (),
) -> list[Block]:
    """The record's dossier: summary, conclusions with their evidence, what its pack adds to them
    (`parts`), and what was left out."""
    name = record.get("title") or record.get("externalId") or record["id"]
    numbers = {each["id"]: number for number, each in enumerate(evidence, 1)}
    blocks: list[Block] = [
        Heading(f"{kind_title}: {name}", 1),
        Paragraph(f"Researched at {dossier['createdAt']}. {dossier['summary']}"),
        *(Paragraph(f"Note: {words}") for words in dossier["notices"]),
        *(Paragraph(f"Not done: {words}") for words in dossier["notDone"]),
        Heading("Conclusions"),
        Table(
            ("Conclusion", "Confidence", "Method", "Evidence"),
            [_claim(claim, numbers) for claim in dossier["claims"]],
        ),
    ]
    for part in parts:
        blocks += [Heading(part.title), *map(Paragraph, part.paragraphs)]
    for is_included, title in ((True, "Evidence"), (False, "Evidence left out")):
        rows = [
            _evidence(each, numbers[each["id"]])
            for each in evidence
            if each["included"] is is_included
        ]
        if rows:
            last = "Role" if is_included else "Reason"
            header = ("No.", "Title", "Source", "What it is", "Price", "Date", last)
            blocks += [Heading(title), without_blank_columns(Table(header, rows))]
    return blocks


def _claim(claim: Mapping[str, Any], numbers: Mapping[str, int]) -> Row:
    mark = "" if claim["verdict"] == "supported" else " (not supported by its source)"
    cited = [numbers.get(each["evidenceId"]) for each in claim["evidence"]]
    evidence = ", ".join(f"[{number}]" for number in dict.fromkeys(cited) if number)
    return (claim["statement"] + mark, f"{claim['confidence']:.2f}", claim["method"], evidence)


def _evidence(each: Mapping[str, Any], number: int) -> Row:
    source = f"{each['source']} {each['url'] or each['sourceId']}"
    about = each["role"] if each["included"] else each["reason"]
    parts = [_words(each.get("type")), _words(each.get("condition"))]
    what = ", ".join(part for part in parts if part)
    return (f"[{number}]", each["title"], source, what, _price(each), _day(each), about)


def _words(value: object) -> str:
    return value.replace("_", " ") if isinstance(value, str) else ""


def _price(each: Mapping[str, Any]) -> str:
    """The price as a listing states it, with the shipping that its data holds."""
    price = each.get("price")
    if price is None:
        return ""
    shipping: object = each["data"].get("shipping")
    more = ""
    if isinstance(shipping, int | float):
        more = f" + {shipping:,.2f} shipping" if shipping else ", shipping free"
    return f"{each.get('currency') or ''} {price:,.2f}{more}".strip()


def _day(each: Mapping[str, Any]) -> str:
    """The day it sold, else the day on which its source saw it."""
    moment: object = each.get("soldAt") or each.get("observedAt")
    return str(moment)[:10] if moment else ""


def without_blank_columns(table: Table) -> Table:
    """The table without the columns in which no row has anything."""
    filled = [at for at in range(len(table.header)) if any(row[at] for row in table.rows)]
    return Table(
        tuple(table.header[at] for at in filled),
        [tuple(row[at] for at in filled) for row in table.rows],
    )


def markdown(blocks: Sequence[Block]) -> str:
    """The document as Markdown; texts of others are inert in it: no link, image or HTML."""
    return "\n\n".join(map(_as_markdown, blocks)) + "\n"


def _as_markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_line(text)}"
        case Paragraph(text):
            return _line(text)
        case Table(header, rows):
            ruler = "|".join("---" for _ in header)
            lines = ["|".join(map(_cell, row)) for row in (header, *rows)]
            return "\n".join(f"|{line}|" for line in (lines[0], ruler, *lines[1:]))


def _line(text: str) -> str:
    return inert(" ".join(text.split()))


def _cell(text: str) -> str:
    return " " + _line(text).replace("|", "\\|") + " "
