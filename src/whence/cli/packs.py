"""`whence pack list`: the domains of this installation and what each offers."""

from __future__ import annotations

import typer
from rich.table import Table

from whence.app import discovery
from whence.cli import session

app = typer.Typer(help="Packs: the domains of this installation.", no_args_is_help=True)


@app.callback()
def packs() -> None:
    """Packs: the domains of this installation."""


@app.command(name="list")
def list_() -> None:
    """Every pack with its subjects, flows, tools, imports and evaluations."""
    table = Table()
    for column in ("Pack", "Subjects", "Flows", "Tools", "Imports", "Evaluations"):
        table.add_column(column)
    for pack in discovery.discover(session.settings().pack_dirs):
        table.add_row(
            pack.id,
            ", ".join(kind.kind for kind in pack.subjects),
            ", ".join(f"{flow.kind}.{flow.id}" for flow in pack.flows),
            ", ".join(tool.name for tool in pack.tools),
            ", ".join(f"{pack.id}.{item.name}" for item in pack.importers),
            ", ".join(f"{pack.id}.{item.name}" for item in pack.evals),
        )
    session.out().print(table)
