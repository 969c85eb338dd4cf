"""`whence compare KIND[/ID]`: how the shadow dossier differs from the primary one."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from whence.cli import session
from whence.kernel.wire import Wire
from whence.records import store
from whence.research import comparing
from whence.research.difference import (
    ClaimDifference,
    ClaimSide,
    Comparison,
    Difference,
    Figures,
    Version,
)

SHOWN_PATHS = 30
"""Rows of the table over many records; `--json` has all."""


def compare(
    subject: Annotated[
        str,
        typer.Argument(
            help="KIND/ID, such as items/HP-001; or KIND, such as items, for all its records"
        ),
    ],
    flow: Annotated[str | None, typer.Option(help="The flow; `research` by default")] = None,
    limit: Annotated[
        int,
        typer.Option(
            min=1, max=comparing.MOST_RECORDS, help="Most records to read, for a whole kind"
        ),
    ] = comparing.MOST_RECORDS,
    as_json: Annotated[bool, typer.Option("--json", help="The report as one line of JSON")] = False,
) -> None:
    """Compare the dossiers of the shadow lane with the primary ones, claim by claim."""
    kind_name, _, reference = subject.partition("/")
    settings = session.settings()

    async def work() -> Difference | Comparison:
        async with session.opened(settings) as platform:
            kind = platform.kind(kind_name)
            name = platform.flow(kind.kind, flow).id
            async with platform.unit(platform.owner) as unit:
                if not reference:
                    return await comparing.comparison(unit, kind.kind, name, limit)
                row = await store.resolve(unit, kind, reference)
                return await comparing.difference(unit, kind.kind, row.id, name)

    report = session.run(work)
    if as_json:
        print(session.as_line(_json(report)))
    elif isinstance(report, Difference):
        session.out().print(_one(report))
    else:
        session.out().print(_many(report))


def _json(report: Wire) -> object:
    return report.model_dump(mode="json", by_alias=True)


def _one(report: Difference) -> RenderableType:
    base, other = report.base, report.other
    heading = (
        f"{report.agreeing} of {report.claims} claims agree: version {base.flow_version} as shown, "
        f"version {other.flow_version} in the shadow"
    )
    lines = [heading]
    if base.subject_version != other.subject_version:
        lines.append("[yellow]The record changed between the two runs.[/yellow]")
    table = _table("claim", "differs in", _name(base), _name(other), "confidence", "evidence")
    for one in report.differences:
        by = "" if one.confidence_by is None else f"{one.confidence_by:+.2f}"
        cites = f"+{len(one.evidence_added)} -{len(one.evidence_removed)}"
        table.add_row(escape(one.path), _what(one), _value(one.base), _value(one.other), by, cites)
    return Group(*lines, *([table] if report.differences else []), _spent(base.spent, other.spent))


def _many(report: Comparison) -> RenderableType:
    if not (report.records and report.base and report.other):
        return "No record has a dossier in both lanes; run a version in the shadow first."
    lines = [
        f"{report.agreeing} of {report.claims} claims agree, over {report.records} records.",
        f"Records in which every claim agrees: {report.identical}.",
    ]
    table = _table("claim", "claims", "agree", "only shown", "only in shadow", "confidence")
    for row in report.paths[:SHOWN_PATHS]:
        by = "" if row.confidence_by is None else f"{row.confidence_by:+.2f}"
        counts = (row.claims, row.agreeing, row.only_in_base, row.only_in_other)
        table.add_row(escape(row.path), *map(str, counts), by)
    if more := len(report.paths) - SHOWN_PATHS:
        lines += [f"The {SHOWN_PATHS} paths that differ most; {more} more."] if more > 0 else []
    return Group(*lines, table, _spent(report.base, report.other))


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _name(side: Version) -> str:
    return f"version {side.flow_version}" + (" (partial)" if side.is_partial else "")


def _what(one: ClaimDifference) -> str:
    if one.only_in:
        return "only shown" if one.only_in == "base" else "only in shadow"
    return ", ".join(one.differs_in)


def _value(side: ClaimSide | None) -> str:
    if side is None:
        return ""
    return escape(session.as_line(side.value)) + ("" if side.verdict == "supported" else " (!)")


def _spent(base: Figures, other: Figures) -> Table:
    table = _table("", "seconds", "model calls", "tokens", "US dollars")
    for name, one in (("as shown", base), ("shadow", other)):
        cells = (f"{one.seconds:.2f}", f"{one.calls:g}", f"{one.tokens:g}", f"{one.usd:.4f}")
        table.add_row(name, *cells)
    return table
