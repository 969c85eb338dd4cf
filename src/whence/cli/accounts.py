"""`whence account …`: the accounts of this installation, for its operator."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated
from urllib.parse import urlencode

import typer
from rich.markup import escape
from rich.table import Table

from whence.app import database as app_database
from whence.app import discovery
from whence.cli import session
from whence.tenancy import operator, passwords
from whence.tenancy.passwords import Hashed
from whence.tenancy.principal import Role

Email = Annotated[str, typer.Argument(help="The account's e-mail address")]
In = Annotated[
    str | None,
    typer.Option("--organization", help="Name or id; needed if there are several"),
]
FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Set the password on the first line of stdin now")
]

app = typer.Typer(help="Accounts: people who sign in.", no_args_is_help=True)


@asynccontextmanager
async def database() -> AsyncGenerator[str]:
    """The database address of its owner, with the database migrated to this version."""
    settings = session.settings()
    async with app_database.database(settings, discovery.discover(settings.pack_dirs)) as opened:
        yield opened.admin_url


@app.command()
def create(
    email: Email,
    role: Annotated[
        Role, typer.Option(help="The account's role in the organization")
    ] = Role.MEMBER,
    organization: In = None,
    name: Annotated[
        str | None, typer.Option(help="The person's name; taken from the e-mail by default")
    ] = None,
    password_stdin: FromStdin = False,
) -> None:
    """Make an account; prints a one-time link that sets its password."""

    async def work() -> str | None:
        async with database() as url:
            password = await _password_from_stdin(email) if password_stdin else None
            return await asyncio.to_thread(
                operator.create,
                url,
                email,
                name=name,
                role=role,
                organization=organization,
                password=password,
            )

    link = session.run(work)
    if link:
        _show(link, "Within 7 days, once: open this address and set the password.")
    elif not password_stdin:
        place = escape(organization or "The organization")
        words = f"{place} now includes {escape(email)}, who has an account already."
        session.progress().print(words, soft_wrap=True)


@app.command(name="list")
def list_() -> None:
    """Every account, once for each of its organizations."""

    async def work() -> list[operator.AccountLine]:
        async with database() as url:
            return await asyncio.to_thread(operator.listed, url)

    table = Table()
    for column in ("E-mail", "Name", "Organization", "Role", "Password", "Sessions", "Last seen"):
        table.add_column(column)
    for line in session.run(work):
        seen = line.last_seen_at.strftime("%Y-%m-%d %H:%M") if line.last_seen_at else "-"
        words = (line.email, line.name, line.organization, line.role)
        has = "yes" if line.has_password else "no"
        table.add_row(*map(escape, words), has, str(line.sessions), seen)
    session.out().print(table)


@app.command()
def reset(email: Email, password_stdin: FromStdin = False) -> None:
    """Print a one-time link that sets another password; using it ends every session."""

    async def work() -> str | None:
        async with database() as url:
            password = await _password_from_stdin(email) if password_stdin else None
            return await asyncio.to_thread(operator.reset, url, email, password)

    link = session.run(work)
    if link:
        _show(link, "Within an hour, once: open this address and set the password.")
    else:
        session.progress().print("The password is set, and all sessions of the account have ended.")
    tokens = f"API tokens continue; `whence account sign-out {escape(email)} --tokens` ends them."
    session.progress().print(tokens, soft_wrap=True)


@app.command()
def role(
    email: Email,
    new: Annotated[Role, typer.Argument(metavar="ROLE", help="owner, member or viewer")],
    organization: In = None,
) -> None:
    """Give a member another role, at once."""

    async def work() -> None:
        async with database() as url:
            await asyncio.to_thread(operator.set_role, url, email, new, organization)

    session.run(work)
    session.progress().print(f"{escape(email)} is {new} now.", soft_wrap=True)


@app.command()
def remove(email: Email, organization: In = None) -> None:
    """Take a member out of an organization, with sessions and tokens."""

    async def work() -> None:
        async with database() as url:
            await asyncio.to_thread(operator.remove, url, email, organization)

    session.run(work)
    words = "was taken out of the organization; their sessions and tokens there have ended."
    session.progress().print(f"{escape(email)} {words}", soft_wrap=True)


@app.command(name="sign-out")
def sign_out(
    email: Email,
    tokens: Annotated[bool, typer.Option("--tokens", help="Also revoke the API tokens")] = False,
) -> None:
    """End every session of an account."""

    async def work() -> tuple[int, int]:
        async with database() as url:
            return await asyncio.to_thread(operator.sign_out, url, email, tokens=tokens)

    sessions, revoked = session.run(work)
    summary = f"{sessions} sessions ended" + (f", {revoked} tokens revoked" if tokens else "")
    session.progress().print(f"{summary}.")


async def _password_from_stdin(email: str) -> Hashed:
    """The password on stdin, checked and hashed."""
    line = await asyncio.to_thread(sys.stdin.readline)
    return await passwords.hashed(passwords.checked(line.rstrip("\r\n"), names=[email]))


def _show(secret: str, words: str) -> None:
    """Print the link alone on stdout, for scripts, and what to do with it on stderr."""
    settings = session.settings()
    base = (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    session.progress().print(words)
    print(f"{base}/reset?{urlencode({'token': secret})}")
