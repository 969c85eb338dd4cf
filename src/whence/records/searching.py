"""A list's search: the records that hold every word, by the index, and their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Subquery, false, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.records import sorting
from whence.records.kind import SubjectKind
from whence.records.sorting import NEWEST_FIRST, RELEVANCE, BadCursor, Sort
from whence.search import query
from whence.search.query import Ranking
from whence.search.words import slots


@dataclass(frozen=True)
class Match:
    """What a search finds: `document_id` and `score`, and how it ranks."""

    hits: Subquery
    carried: Any


async def match(
    session: AsyncSession, kind: SubjectKind, search: str, cursor: str | None
) -> Match | None:
    """The records that a search finds; None where it searches for nothing.

    A search of signs alone finds nothing.  The pages of a search rank as its first one did.
    Raises BadCursor.
    """
    if not search.strip():
        return None
    wanted = slots(search) if kind.search else []
    if not wanted:
        nothing = select(kind.row.id.label("document_id"), kind.row.version.label("score"))
        return Match(nothing.where(false()).subquery(), None)
    carried = sorting.read(cursor)[3] if cursor else None
    if carried is None:
        ranked = await query.ranking(session, kind.kind, wanted)
    else:
        try:
            ranked = Ranking.of_parts(carried, wanted)
        except (ValueError, TypeError) as error:
            raise BadCursor from error
    return Match(query.matches(kind.kind, wanted, ranked).subquery(), ranked.parts())


def order(kind: SubjectKind, match: Match | None, name: str | None) -> Sort:
    """The order that is asked for; else the best match, or without a search the newest, first."""
    if match is None:
        return sorting.sort_of(kind, NEWEST_FIRST if name in (None, RELEVANCE) else name)
    if name in (None, RELEVANCE):
        key = match.hits.c.score
        return Sort(
            RELEVANCE,
            key,
            int,
            kind.row.id,
            is_nullable=False,
            descends=True,
            carried=match.carried,
        )
    return sorting.sort_of(kind, name)
