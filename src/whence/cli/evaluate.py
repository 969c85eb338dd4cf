"""`whence eval NAME`: measure a part of a pack on labelled data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from whence.app import discovery
from whence.cli import session
from whence.kernel.errors import Invalid


def evaluate(
    name: Annotated[str, typer.Argument(help="The evaluation: resale.relevance, ...")],
    data: Annotated[Path | None, typer.Option(help="Folder with the labelled data")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Flat figures as one line of JSON, the last on stdout")
    ] = False,
) -> None:
    """Run an evaluation that ships with a pack, without a database."""
    packs = discovery.discover(session.settings().pack_dirs)
    offered = {f"{pack.id}.{item.name}": item for pack in packs for item in pack.evals}
    evaluation = offered.get(name)
    if evaluation is None:
        raise Invalid(f"There is no evaluation '{name}'; available: {', '.join(sorted(offered))}.")
    folder = data or evaluation.sample
    if folder is None:
        raise Invalid(f"{name} needs labelled data; add --data DIR.")
    if not folder.is_dir():
        raise Invalid(f"There is no folder '{folder}'.")
    figures = evaluation.run(folder)
    if as_json:
        print(session.as_line(figures))
    else:
        _show(evaluation.title, figures)


def _show(title: str, figures: Mapping[str, float | int | str]) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column("Figure")
    table.add_column("Value", justify="right")
    for key, value in figures.items():
        table.add_row(key, f"{value:.4f}" if isinstance(value, float) else str(value))
    session.out().print(table)
