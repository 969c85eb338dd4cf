"""`whence list KIND`: lists, searches, filters, sorts and counts records of a kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from pydantic import BaseModel, ValidationError
from rich.markup import escape
from rich.table import Column, Table

from whence.cli import session
from whence.kernel.errors import Invalid
from whence.kernel.text import camel
from whence.records import listing, references
from whence.records.kind import SubjectKind

Where = Annotated[
    list[str] | None,
    typer.Option(help="Filter the list: stars.min=2, mood=praise; can be repeated"),
]


def list_(
    kind: Annotated[str, typer.Argument(help="A kind of record, such as items")],
    search: Annotated[str, typer.Option(help="Words that must all occur")] = "",
    where: Where = None,
    sort: Annotated[str | None, typer.Option(help="A field; -FIELD: the largest first")] = None,
    by: Annotated[list[str] | None, typer.Option(help="Count by this field instead")] = None,
    limit: Annotated[int, typer.Option(min=1, max=listing.PAGE_LIMIT)] = 20,
    cursor: Annotated[str | None, typer.Option(help="`nextCursor` of the page before")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, one line")] = False,
) -> None:
    """List records of a kind, or with `--by` count them by the values of a field."""
    filters: dict[str, Any] = {"search": search, **filters_of(where or [])}
    paged: dict[str, Any] = {"limit": limit, "cursor": cursor, "sort": sort}

    async def work() -> tuple[SubjectKind, dict[str, Any]]:
        async with session.opened(session.settings()) as platform:
            of = platform.kind(kind)
            async with platform.unit(platform.owner) as unit:
                if by:
                    query = query_of(listing.count_query(of), {**filters, "by": by})
                    return of, (await listing.counts(unit, of, query)).model_dump(mode="json")
                query = query_of(listing.list_query(of), filters | paged)
                page = await listing.page(unit, of, query)
                rows = await references.shown(unit, of, page.rows)
                return of, {"items": rows, "nextCursor": page.next_cursor}

    of, answer = session.run(work)
    if as_json:
        print(session.as_line(answer))
    elif by:
        _show_counts(answer)
    else:
        _show_rows(of, answer)


def filters_of(where: Sequence[str]) -> dict[str, Any]:
    """The filters from `name=value`: each name with its values; a single value is not in a list."""
    values: defaultdict[str, list[str]] = defaultdict(list)
    for each in where:
        name, equals, value = each.partition("=")
        if not equals or name in listing.RESERVED:
            raise Invalid(f"--where takes FIELD=VALUE, not '{each}'.")
        values[name].append(value)
    return dict(values)


def query_of(model: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """The query of a list from its values.  Raises Invalid, which names what the list has."""
    lists = {field.alias for field in model.model_fields.values() if field.default_factory is list}
    single: dict[str, Any] = {
        name: value[0] if isinstance(value, list) and name not in {*lists, "by"} else value
        for name, value in values.items()
    }
    try:
        return model.model_validate(single)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"][:1]))
        offered = ", ".join(sorted(field.alias or key for key, field in model.model_fields.items()))
        if first["type"] == "extra_forbidden":
            raise Invalid(f"This list has no '{name}'; it has {offered}.") from error
        if name == "sort" and (values_of := first.get("ctx", {}).get("expected")):
            written = values["sort"]
            raise Invalid(
                f"This list cannot be sorted by '{written}'; it can be sorted by {values_of} "
                "(`-` before the name: the largest first)."
            ) from error
        raise Invalid(f"'{name}' has a value that cannot be used: {first['msg']}.") from error


def _show_rows(kind: SubjectKind, page: dict[str, Any]) -> None:
    names = dict.fromkeys([*filter(None, [kind.title_column]), *kind.filters, *kind.sorts])
    names.pop("external_id", None)
    # An id is what other commands take, so it is never cut.
    ids = Column("id", no_wrap=True, overflow="fold")
    table = Table(ids, *(camel(name) for name in names))
    for row in page["items"]:
        cells = (row.get(camel(name)) for name in names)
        shown = ("" if cell is None else escape(str(cell)) for cell in cells)
        table.add_row(escape(row["externalId"] or row["id"]), *shown)
    session.out().print(table)
    if page["nextCursor"]:
        session.progress().print(f"There are more: --cursor {page['nextCursor']}")


def _show_counts(answer: dict[str, Any]) -> None:
    table = Table("field", "value", "records")
    for name, counts in answer["by"].items():
        for each in counts:
            value = each["title"] or ("(none)" if each["value"] is None else str(each["value"]))
            table.add_row(name, escape(value), str(each["count"]))
    session.out().print(table)
    session.out().print(f"{answer['total']} in all")
