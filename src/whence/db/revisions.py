"""Whether the migrations of a folder form one line: one first, one last, each id once.

Read from the files' text, without running them: Alembic reports such faults late, and in terms of
revisions, not of files.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Revision:
    """A migration as its file declares it."""

    name: str
    """The name of its file."""
    id: str
    follows: tuple[str, ...]
    """The ids of the migrations before it; none for the first."""


def revisions(folder: Path) -> list[Revision]:
    """The migrations in `folder/versions`, by file name.

    A file that is not Python or whose ids are no literals is left to Alembic.
    """
    files = sorted((folder / "versions").glob("*.py"))
    return [revision for path in files if (revision := _read(path)) is not None]


def line_faults(migrations: Sequence[Revision]) -> Iterator[str]:
    """Why migrations do not form one line, with the file to change and what to write there."""
    by_id: dict[str, Revision] = {}
    for each in migrations:
        if (first := by_id.setdefault(each.id, each)) is not each:
            yield (
                f"{first.name} and {each.name} both have the revision '{each.id}'; give one of "
                "them an id of its own"
            )
    for each in migrations:
        for before in each.follows:
            if before not in by_id:
                yield (
                    f"{each.name} follows the revision '{before}', which no file has; correct its "
                    f"down_revision (there are {', '.join(sorted(by_id))})"
                )
    followed = {before for each in migrations for before in each.follows}
    heads = [each for each in migrations if each.id not in followed]
    if migrations and not heads:
        names = ", ".join(each.name for each in migrations)
        yield f"each of {names} follows another one; set down_revision = None in the first"
    for other in heads[1:]:
        fork = _first_of_branch(other, _line_of(heads[0], by_id), by_id)
        yield (
            f"there are two heads, {heads[0].name} and {other.name}; put them in one line: write "
            f'down_revision = "{heads[0].id}" in {fork.name}'
        )


def _line_of(head: Revision, by_id: dict[str, Revision]) -> set[str]:
    """The ids of a migration and of all before it."""
    line: set[str] = set()
    waiting = [head.id]
    while waiting:
        each = waiting.pop()
        if each in by_id and each not in line:
            line.add(each)
            waiting += by_id[each].follows
    return line


def _first_of_branch(head: Revision, line: set[str], by_id: dict[str, Revision]) -> Revision:
    """The earliest migration before `head` that is not in the line."""
    first, seen = head, {head.id}
    while before := [
        by_id[each] for each in first.follows if each in by_id and each not in line | seen
    ]:
        first = before[0]
        seen.add(first.id)
    return first


def _read(path: Path) -> Revision | None:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        values = {name: ast.literal_eval(value) for name, value in _assigned(tree)}
    except (SyntaxError, ValueError):
        return None
    match values:
        case {"revision": str(own), "down_revision": None}:
            return Revision(path.name, own, ())
        case {"revision": str(own), "down_revision": str(before)}:
            return Revision(path.name, own, (before,))
        case {"revision": str(own), "down_revision": [*several]}:
            return Revision(path.name, own, tuple(map(str, several)))
        case _:
            return None


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if name in ("revision", "down_revision"):
            yield name, value
