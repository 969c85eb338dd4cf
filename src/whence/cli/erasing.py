"""`whence erase record|person`: remove everything of one of them, for good."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from whence.cli import session
from whence.erasure.erasing import PERSON
from whence.erasure.tombstones import Erasure
from whence.kernel.errors import Invalid

app = typer.Typer(help="Erase a record or a person for good.", no_args_is_help=True)
Reason = Annotated[str, typer.Option("--reason", help="Why; it remains, so name nobody")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count what would be erased")]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", help="A further name that conversations and reports may use"),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation")]


@app.command()
def record(
    reference: Annotated[str, typer.Argument(help="Such as items/HP-001")],
    reason: Reason = "",
    name: Names = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Erase a record with its research, evidence, files, conversations and history."""
    kind, _, subject = reference.partition("/")
    if not subject:
        raise Invalid(f"'{reference}' names no record; write it as items/HP-001.")
    _erase(kind, subject, reason, name or [], dry_run=dry_run, yes=yes)


@app.command()
def person(
    reference: Annotated[str, typer.Argument(help="The e-mail or user id of a member")],
    reason: Reason = "",
    name: Names = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Erase a member: conversations, sign-ins, name and e-mail."""
    _erase(PERSON, reference, reason, name or [], dry_run=dry_run, yes=yes)


def _erase(
    kind: str, reference: str, reason: str, names: list[str], *, dry_run: bool, yes: bool
) -> None:
    if not dry_run and not reason.strip():
        raise Invalid("Give the reason with --reason; it remains after the erasure.")

    async def work(*, preview: bool) -> Erasure:
        async with session.opened(session.settings()) as platform:
            why = reason or "preview"
            return await platform.eraser.erase(
                platform.owner, kind, reference, why, also_known_as=names, preview=preview
            )

    if dry_run or not yes:
        _show(session.run(lambda: work(preview=True)), "would be erased")
    if dry_run:
        return
    if not yes and not typer.confirm("Erase all of this for good?"):
        raise typer.Exit(1)
    _show(session.run(lambda: work(preview=False)), "erased")


def _show(erasure: Erasure, what: str) -> None:
    console = session.out()
    for table, count in erasure.removed.items():
        console.print(f"{count:>6}  {escape(table)}  {what}")
    for table, count in erasure.kept.items():
        console.print(f"{count:>6}  {escape(table)}  kept: something else uses them")
