"""Counts over the whole installation, without any tenant's data."""

from __future__ import annotations

from dataclasses import dataclass

from whence.db.database import Database
from whence.db.migrate import CORE_TREE

_FIGURES = "SELECT figure, label, value FROM whence.figures()"


@dataclass(frozen=True)
class Figure:
    """One count over all organizations; `label` is a state or a priority's number, or empty."""

    name: str
    label: str
    value: float


async def figures(db: Database) -> list[Figure]:
    """The figures now; raises DatabaseBusy."""
    return [Figure(*row) for row in await db.rows(_FIGURES, {})]


async def revision(db: Database) -> str:
    """The revision of whence's tables in the database, such as `0007`; raises DatabaseBusy."""
    return await db.call("SELECT whence.schema_revision()", {}) or ""


def own_revision() -> str:
    """The revision that this program needs; an older database must be migrated."""
    return max(path.name[:4] for path in (CORE_TREE / "versions").glob("[0-9]*.py"))
