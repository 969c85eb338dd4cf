"""`whence show KIND/ID`: a record, and the dossier that holds for it."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

from whence.app.platform import Platform
from whence.cli import live, session
from whence.kernel.errors import Invalid
from whence.records import references, store
from whence.records.kind import SubjectKind

HIDDEN = frozenset({"version", "createdAt", "updatedAt", "deletedAt"})
"""Fields of a record that say nothing about it."""


def show(
    subject: Annotated[
        str, typer.Argument(help="KIND/ID, such as items/HP-001 (whence's id or the imported one)")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Record, dossier and evidence as one line of JSON")
    ] = False,
) -> None:
    """Show a record and its current dossier."""
    kind_name, reference = named(subject)

    async def work() -> tuple[dict[str, Any], RenderableType]:
        async with session.opened(session.settings()) as platform:
            kind = platform.kind(kind_name)
            async with platform.unit(platform.owner) as unit:
                row = await store.resolve(unit, kind, reference)
                [record] = await references.shown(unit, kind, [row])
            written = await live.result(platform, kind, row)
            dossier, evidence = written or (None, [])
            document = {"record": record, "dossier": dossier, "evidence": evidence}
            return document, _view(platform, kind, document)

    document, view = session.run(work)
    if as_json:
        print(session.as_line(document))
    else:
        session.out().print(view)


def named(subject: str) -> tuple[str, str]:
    """The kind and the id of `KIND/ID`.  Raises Invalid."""
    kind, separator, reference = subject.partition("/")
    if not separator or not reference:
        raise Invalid(f"Write KIND/ID, as items/HP-001, not '{subject}'.")
    return kind, reference


def _view(platform: Platform, kind: SubjectKind, document: dict[str, Any]) -> RenderableType:
    record, dossier = document["record"], document["dossier"]
    table = Table(show_header=False, box=None)
    for name, value in record.items():
        if name not in HIDDEN and value not in (None, "", [], {}):
            shown = value if isinstance(value, str) else session.as_line(value)
            table.add_row(escape(name), escape(shown))
    if dossier is None:
        reference = escape(record["externalId"] or record["id"])
        return Group(
            table,
            f"\nNot researched yet; `whence research {kind.kind}/{reference}` does it.",
        )
    notices = [f"[yellow]{escape(words)}[/yellow]" for words in dossier["notices"]]
    pack_view = platform.pack_of(kind.kind).show
    conclusions = (
        pack_view(dossier, document["evidence"], record)
        if pack_view
        else escape(session.as_line(dossier))
    )
    return Group(table, "", f"Researched at {dossier['createdAt']}", *notices, conclusions)
