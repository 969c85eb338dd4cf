"""What only the database knows about the whole installation: counts, and no tenant's data."""

from __future__ import annotations

from dataclasses import dataclass

from whence.db.database import Database

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
