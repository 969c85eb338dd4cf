"""`whence pack`: the domains of this installation, and whether one keeps the contract."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from whence.app import discovery
from whence.app.new_pack import kind_of, write_pack
from whence.cli import session
from whence.kernel.errors import Invalid
from whence.sdk.pack import Pack

if TYPE_CHECKING:
    from whence.app.check.pack import Result

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


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The pack's id: lower-case letters, digits, '_'")],
    record: Annotated[
        str | None, typer.Option(metavar="NOUN", help="What a record is called, as 'vehicle'")
    ] = None,
    into: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the pack's folder is made")
    ] = Path(),
) -> None:
    """Write a new pack that works right away, to be changed into one of your own."""
    _check_free(name, kind_of(name, record))
    folder = write_pack(into, name, record)
    console = session.out()
    console.print(f"Wrote the pack '{name}' to {escape(str(folder))}. Next:", soft_wrap=True)
    parent = escape(shlex.quote(str(folder.resolve().parent)))
    for command in (
        f"export WHENCE_PACK_DIRS={parent}",
        f"whence pack check {name}",
        f"pytest {escape(shlex.quote(str(folder)))}",
    ):
        console.print(f"  {command}", soft_wrap=True)


def _check_free(name: str, kind: str) -> None:
    """Raise Invalid where another pack or whence itself has the name or the kind."""
    from whence.transports.app import engine_words

    reserved = engine_words()
    packs = discovery.discover(session.settings().pack_dirs)
    if name in reserved or any(name in (pack.id, *_kinds(pack)) for pack in packs):
        raise Invalid(f"There is a pack, a kind or a route '{name}' already; choose another name.")
    if kind in reserved or any(kind in (pack.id, *_kinds(pack)) for pack in packs):
        raise Invalid(f"There is a kind, a pack or a route '{kind}'; name another with --record.")
    if kind == name:
        raise Invalid(f"The pack and its records cannot both be '{name}'; name one differently.")


def _kinds(pack: Pack) -> list[str]:
    return [kind.kind for kind in pack.subjects]


@app.command()
def check(
    target: Annotated[str, typer.Argument(metavar="NAME|FOLDER", help="A pack or its folder")],
) -> None:
    """Prove that a pack keeps the contract; each line that fails says what to do."""
    folder = Path(target)
    if (folder / "pack.py").is_file():
        others = discovery.discover([])
    else:
        others = discovery.discover(session.settings().pack_dirs)
        folders = [pack.folder for pack in others if pack.id == target]
        if not folders:
            names = ", ".join(pack.id for pack in others)
            raise Invalid(f"There is no pack '{target}'; name a folder, or one of {names}.")
        folder = folders[0]
    if not asyncio.run(_checked(folder.resolve(), others)):
        raise typer.Exit(1)


async def _checked(folder: Path, others: Sequence[Pack]) -> bool:
    from whence.app.check.pack import check_pack

    holds = True
    async for result in check_pack(folder, others, _check_addresses):
        holds = holds and not result.faults
        _show(result)
    return holds


def _show(result: Result) -> None:
    console = session.out()
    if not result.faults:
        console.print(f"[green]ok[/green]    {result.check}")
    for fault in result.faults:
        console.print(f"[red]fails[/red] {result.check}: {escape(fault)}", soft_wrap=True)


def _check_addresses(pack: Pack, others: Sequence[Pack]) -> None:
    from whence.transports.app import engine_words
    from whence.transports.routes.http.pack_routes import check_addresses

    kinds = {kind.kind for each in (pack, *others) for kind in each.subjects}
    check_addresses([pack], kinds, engine_words())
