"""`whence token create|list|revoke`: bearer tokens for the API."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from whence.cli import accounts, session
from whence.kernel.errors import Invalid
from whence.tenancy import operator, tokens
from whence.tenancy.principal import Scope
from whence.tenancy.tokens import Token

app = typer.Typer(help="API tokens.", no_args_is_help=True)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="What the token is for")],
    scope: Annotated[
        list[Scope] | None, typer.Option(help="Can be repeated; all by default")
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, help="Days until it expires; never by default")
    ] = None,
    user: Annotated[
        str | None,
        typer.Option(help="E-mail of the account it acts for; the local owner by default"),
    ] = None,
    organization: accounts.In = None,
) -> None:
    """Create a token; it is printed once, on stdout."""
    if organization and not user:
        raise Invalid("--organization says where --user is a member; give both.")

    async def work() -> str:
        async with session.opened(session.settings()) as platform:
            who = platform.owner
            if user:
                async with accounts.database() as url:
                    who = await asyncio.to_thread(operator.member, url, user, organization)
            lifetime = timedelta(days=days) if days else None
            return await tokens.issue(
                platform.db, who, name, scopes=scope or None, lifetime=lifetime
            )

    print(session.run(work))


@app.command(name="list")
def list_() -> None:
    """Every API token, without its secret."""

    async def work() -> list[Token]:
        async with session.opened(session.settings()) as platform:
            return await tokens.listed(platform.db, platform.owner)

    table = Table()
    titles = ("Id", "Name", "Of", "Begins with", "Scopes", "Expires", "Last used", "Revoked")
    for column in titles:
        table.add_column(column)
    for token in session.run(work):
        times = (token.expires_at, token.last_used_at, token.revoked_at)
        shown = [at.strftime("%Y-%m-%d %H:%M") if at else "-" for at in times]
        words = (str(token.id), escape(token.name), escape(token.owner_email), token.prefix)
        table.add_row(*words, " ".join(token.scopes), *shown)
    session.out().print(table)


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(help="The id from `whence token list`")],
) -> None:
    """Revoke a token, effective at once."""
    try:
        wanted = UUID(token_id)
    except ValueError as error:
        raise Invalid(f"'{token_id}' is no token id; `whence token list` shows them.") from error

    async def work() -> None:
        async with session.opened(session.settings()) as platform:
            await tokens.revoke(platform.db, platform.owner, wanted)

    session.run(work)
