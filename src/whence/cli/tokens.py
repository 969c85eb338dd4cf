"""`whence token create|list|revoke`: bearer tokens for the API."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from whence.cli import session
from whence.kernel.errors import Invalid
from whence.tenancy import tokens
from whence.tenancy.principal import Scope
from whence.tenancy.tokens import Token

app = typer.Typer(help="API tokens of the local owner.", no_args_is_help=True)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="What the token is for")],
    scope: Annotated[list[Scope] | None, typer.Option(help="Repeat for several; all")] = None,
    days: Annotated[int | None, typer.Option(min=1, help="Days until it expires; never")] = None,
) -> None:
    """Make a token; it is printed once, on stdout."""

    async def work() -> str:
        async with session.opened(session.settings()) as built:
            lifetime = timedelta(days=days) if days else None
            return await tokens.issue(
                built.db, built.owner, name, scopes=scope or None, lifetime=lifetime
            )

    print(session.run(work))


@app.command(name="list")
def list_() -> None:
    """Every API token, without its secret."""

    async def work() -> list[Token]:
        async with session.opened(session.settings()) as built:
            return await tokens.listed(built.db, built.owner)

    table = Table()
    for column in ("Id", "Name", "Begins with", "Scopes", "Expires", "Last used", "Revoked"):
        table.add_column(column)
    for token in session.run(work):
        times = (token.expires_at, token.last_used_at, token.revoked_at)
        shown = [at.strftime("%Y-%m-%d %H:%M") if at else "-" for at in times]
        table.add_row(
            str(token.id), escape(token.name), token.prefix, " ".join(token.scopes), *shown
        )
    session.out().print(table)


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(help="The id from `whence token list`")],
) -> None:
    """End a token at once."""
    try:
        wanted = UUID(token_id)
    except ValueError as error:
        raise Invalid(f"'{token_id}' is no token id; `whence token list` shows them.") from error

    async def work() -> None:
        async with session.opened(session.settings()) as built:
            await tokens.revoke(built.db, built.owner, wanted)

    session.run(work)
