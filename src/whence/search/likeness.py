"""Documents that share words with a text, weighed by the caller: the nearest need not hold all.

A collection that is searched so stores its counts (`index.count_terms`), because the weight of a
word depends on how many documents hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Float, TextualSelect, Uuid, column, text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements

_COUNTS = """
    SELECT term, documents FROM whence.search_counts
    WHERE collection = %(collection)s AND term = ANY(%(terms)s)
"""
# No join with the weights: a planner without statistics might read the whole collection for it.
_NEAREST = text("""
    SELECT document_id, sum(
        (CAST(:weights AS float8[]))[array_position(CAST(:terms AS text[]), term)]
    ) / sqrt(max(length)) AS likeness
    FROM whence.search_postings
    WHERE collection = :collection AND term = ANY(CAST(:terms AS text[]))
    GROUP BY document_id
""")


async def counts(
    session: AsyncSession, collection: str, terms: Sequence[str]
) -> tuple[int, dict[str, int]]:
    """How many documents there are, and in how many of them each of these terms occurs."""
    values = {"collection": collection, "terms": ["", *terms]}
    counted: dict[str, int] = dict(await statements.rows(session, _COUNTS, values))
    return counted.pop("", 0), counted


def nearest(collection: str, weights: Mapping[str, float]) -> TextualSelect:
    """`document_id` and `likeness` of every document that holds one of these terms, in no order.

    The likeness is the weight of the shared terms, divided by the square root of the document's
    length.
    """
    terms, values = list(weights), list(weights.values())
    query = _NEAREST.bindparams(collection=collection, terms=terms, weights=values)
    return query.columns(column("document_id", Uuid), column("likeness", Float))
