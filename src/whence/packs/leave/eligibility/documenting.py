"""The rule data as tables for the pack's page of documentation, which is held to them by a test."""

from __future__ import annotations

import re
from collections.abc import Iterable

from whence.packs.leave.records import Law

from .book import BASES, Basis, Dated, Provision, Rule
from .editions import Editions
from .words import LAWS, day

MARKS = ("rules", "provisions", "sources", "figures")
"""Names of the tables: each stands between `<!-- name -->` and `<!-- /name -->`."""


def documented(text: str, editions: Editions) -> str:
    """The page with every table as the data has it now; what stands around them stays."""
    for name, table in zip(MARKS, _tables(editions), strict=True):
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)"
        text = re.sub(pattern, lambda at, new=table: f"{at[1]}{new}{at[2]}", text, flags=re.S)
    return text


def _tables(editions: Editions) -> tuple[str, str, str, str]:
    rules = [rule for statute in editions.statutes for rule in statute.rule]
    return _rules(rules), _provisions(editions.provisions), _sources(editions), _figures(editions)


def _rules(rules: Iterable[Rule]) -> str:
    rows = [(one.id, one.needed + _dates(one), *_where(one)) for one in rules]
    return _table(("rule", "needed", "section", "checked"), rows)


def _provisions(provisions: Iterable[Provision]) -> str:
    rows = [(one.id, one.title + _dates(one), *_where(one)) for one in provisions]
    return _table(("provision", "says", "section", "checked"), rows)


def _sources(editions: Editions) -> str:
    used: dict[str, list[str]] = {name: [] for name in editions.sources}
    for one in editions.everything:
        if one.source:
            used[one.source.id].append(f"`{one.id}`")
    rows = [
        (
            f"[{one.title}]({one.url})",
            str(one.kind),
            str(one.read),
            ", ".join(dict.fromkeys(used[one.id])),
        )
        for one in editions.sources.values()
    ]
    return _table(("source", "kind", "read", "used for"), rows)


def _figures(editions: Editions) -> str:
    rows = [
        (BASES[basis], str(sum(one.basis is basis for one in editions.everything)))
        for basis in Basis
    ]
    rows += [(f"rules of {LAWS[law]} begin on", day(editions.begins(law))) for law in Law]
    return _table(("of the data", ""), rows)


def _where(one: Dated) -> tuple[str, str]:
    return f"[{one.section}]({one.url})", BASES[one.basis].removeprefix("checked ")


def _dates(one: Dated) -> str:
    since = f" from {one.since}" if one.since else ""
    until = f" until {one.until}" if one.until else ""
    return f" ({f'{since}{until}'.strip()})" if since or until else ""


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    lines = [_line(names), _line("---" for _ in names), *(_line(row) for row in rows)]
    return "\n".join(lines)


def _line(cells: Iterable[str]) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
