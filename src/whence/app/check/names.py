"""Checks the names of a pack: their form, and whether another pack uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlalchemy import inspect

from whence.records.kind import SubjectKind
from whence.sdk.pack import Pack

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_PLURAL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
RESERVED = frozenset({"whence", "jobs", "checkpoints", "public", "information_schema"})
"""Schemas reserved for the database and the engine."""


def name_faults(pack: Pack, others: Sequence[Pack]) -> Iterator[str]:
    """Names that are malformed or already taken."""
    if not _WORD.fullmatch(pack.id):
        yield f"the pack's id '{pack.id}' must be lower-case letters, digits and '_'"
    if pack.id in RESERVED or pack.id.startswith("pg_"):
        yield f"the pack's id '{pack.id}' is a schema of the engine; choose another id"
    for kind in pack.subjects:
        if not _PLURAL.fullmatch(kind.kind):
            yield f"the kind '{kind.kind}' must be lower-case words joined by '-'"
        table = inspect(kind.row).local_table
        if table.schema != pack.id:
            yield (
                f"the table of '{kind.kind}' is in the schema '{table.schema}'; write "
                f'`__table_args__ = {{"schema": "{pack.id}"}}`'
            )
        for name in kind.record.model_fields:
            if name not in table.columns:
                yield f"{kind.row.__name__} has no column for {kind.record.__name__}.{name}; add it"
    for what, names in (
        ("tool", [tool.name for tool in pack.tools]),
        ("import", [item.name for item in pack.importers]),
        ("evaluation", [item.name for item in pack.evals]),
    ):
        yield from (
            f"the {what} '{name}' must be lower-case letters, digits and '_'"
            for name in names
            if not _WORD.fullmatch(name)
        )
    for name in [*(each.id for each in pack.wizards), *(each.name for each in pack.pages)]:
        if not name.startswith(f"{pack.id}."):
            yield f"'{name}' must begin with '{pack.id}.'"
    for other in others:
        yield from _taken(pack, other)


def flow_faults(pack: Pack, kinds: Sequence[SubjectKind]) -> Iterator[str]:
    """Flows about kinds that no pack brings."""
    names = sorted({kind.kind for kind in kinds})
    for flow in (*pack.flows, *pack.candidates):
        if flow.kind not in names:
            yield (
                f"the flow '{flow.id}' is about '{flow.kind}', which no pack brings; "
                f"there are {', '.join(names) or 'no kinds'}"
            )


def _taken(pack: Pack, other: Pack) -> Iterator[str]:
    if pack.id == other.id:
        yield f"another pack has the id '{pack.id}'; rename one of them"
    kinds = {kind.kind for kind in other.subjects}
    tools = {tool.name for tool in other.tools}
    for kind in pack.subjects:
        if kind.kind in kinds:
            yield f"the pack '{other.id}' has the kind '{kind.kind}' too; rename one of them"
    for tool in pack.tools:
        if tool.name in tools:
            yield f"the pack '{other.id}' has the tool '{tool.name}' too; rename one of them"
