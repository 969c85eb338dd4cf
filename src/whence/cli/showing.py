"""What the commands about durable work share: one transaction, one table, one line of JSON."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.platform import Platform
from whence.cli import session

T = TypeVar("T")
Document = dict[str, Any]
Act = Callable[[Platform, AsyncSession], Awaitable[T]]
Columns = Mapping[str, Callable[[Document], str]]
"""Heading → the cell of an item."""
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, one line")]


def in_unit(act: Act[T]) -> T:
    """Run one action for the local owner in one transaction."""

    async def work() -> T:
        async with (
            session.opened(session.settings()) as platform,
            platform.unit(platform.owner) as unit,
        ):
            return await act(platform, unit)

    return session.run(work)


def print_list(
    name: str,
    items: Sequence[Document],
    columns: Columns,
    *,
    none: str,
    as_json: bool,
) -> None:
    """Items as `{name: [...]}` or as a table, whose first column is never cut; `none` if empty."""
    if as_json:
        print(session.as_line({name: items}))
        return
    if not items:
        print(none)
        return
    table = Table()
    for at, column in enumerate(columns):
        table.add_column(column, no_wrap=at == 0)
    for item in items:
        table.add_row(*(escape(cell(item)) for cell in columns.values()))
    session.out().print(table)
