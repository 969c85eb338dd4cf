"""`whence token create|list|revoke`: bearer tokens for the API."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Annotated

import typer

from whence.cli import accounts, session
from whence.cli.showing import AsJson, Columns, print_list
from whence.kernel.errors import Invalid
from whence.kernel.text import camel
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
def list_(as_json: AsJson = False) -> None:
    """Every API token, without its secret."""

    async def work() -> list[Token]:
        async with session.opened(session.settings()) as platform:
            return await tokens.listed(platform.db, platform.owner)

    columns: Columns = {
        "Id": lambda token: str(token["id"]),
        "Name": lambda token: token["name"],
        "Of": lambda token: token["ownerEmail"],
        "Begins with": lambda token: token["prefix"],
        "Scopes": lambda token: " ".join(token["scopes"]),
        "Expires": lambda token: _minute(token["expiresAt"]),
        "Last used": lambda token: _minute(token["lastUsedAt"]),
        "Revoked": lambda token: _minute(token["revokedAt"]),
    }
    every = [
        {camel(name): value for name, value in asdict(token).items()} for token in session.run(work)
    ]
    print_list("tokens", every, columns, none="There are no tokens.", as_json=as_json)


def _minute(at: datetime | None) -> str:
    return f"{at:%Y-%m-%d %H:%M}" if at else "-"


@app.command()
def revoke(
    token_id: Annotated[
        str,
        typer.Argument(help="The id from `whence token list`, or its beginning if no other has it"),
    ],
) -> None:
    """Revoke a token, effective at once."""

    async def work() -> None:
        async with session.opened(session.settings()) as platform:
            every = await tokens.listed(platform.db, platform.owner)
            await tokens.revoke(platform.db, platform.owner, _chosen(every, token_id).id)

    session.run(work)


def _chosen(every: Sequence[Token], beginning: str) -> Token:
    """The one token whose id begins so.  Raises Invalid where there is none, or several."""
    matches = [token for token in every if str(token.id).startswith(beginning.strip().lower())]
    if not matches or not beginning.strip():
        raise Invalid(f"No token's id begins with '{beginning}'; `whence token list` shows them.")
    if len(matches) > 1:
        raise Invalid(
            f"The ids of {len(matches)} tokens begin with '{beginning}'; give more of it."
        )
    return matches[0]
