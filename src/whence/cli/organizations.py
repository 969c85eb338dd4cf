"""`whence organization create|list` and `whence keys rotate`."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Annotated
from uuid import UUID

import typer
from rich.markup import escape
from rich.table import Table

from whence.cli import session
from whence.cli.accounts import database
from whence.tenancy import installation

app = typer.Typer(help="Organizations: the tenants of this installation.", no_args_is_help=True)
keys = typer.Typer(help="The key that signs access tokens.", no_args_is_help=True)


@app.command()
def create(name: Annotated[str, typer.Argument(help="The organization's name")]) -> None:
    """Create an organization and print its id."""

    async def work() -> UUID:
        async with database() as url:
            return await asyncio.to_thread(installation.create_organization, url, name)

    print(session.run(work))


@app.command(name="list")
def list_() -> None:
    """Every organization."""

    async def work() -> list[installation.Organization]:
        async with database() as url:
            return await asyncio.to_thread(installation.organizations, url)

    table = Table()
    for column in ("Id", "Name", "Members", "Since"):
        table.add_column(column)
    for one in session.run(work):
        since = one.created_at.strftime("%Y-%m-%d")
        table.add_row(str(one.id), escape(one.name), str(one.members), since)
    session.out().print(table)


@keys.command()
def rotate(
    at_once: Annotated[
        bool, typer.Option("--at-once", help="Revoke the old key now, for a key that leaked")
    ] = False,
) -> None:
    """Sign access tokens with a new key; nobody is signed out."""
    minutes = 0.0 if at_once else session.settings().access_minutes

    async def work() -> None:
        async with database() as url:
            await asyncio.to_thread(installation.rotate_keys, url, timedelta(minutes=minutes))

    session.run(work)
    old = (
        f"what the old one signed holds for {minutes:g} minutes" if minutes else "the old one ended"
    )
    session.progress().print(f"Access tokens are signed with a new key; {old}.", soft_wrap=True)
