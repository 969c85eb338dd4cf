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
# Term by term, by `OFFSET 0`: a planner without statistics might read the whole collection.
_NEAREST = text("""
    SELECT posting.document_id, sum(weighed.weight) / sqrt(max(posting.length)) AS likeness
    FROM unnest(CAST(:terms AS text[]), CAST(:weights AS float8[])) AS weighed (term, weight)
    CROSS JOIN LATERAL (
        SELECT p.document_id, p.length FROM whence.search_postings p
        WHERE p.collection = :collection AND p.term = weighed.term OFFSET 0
    ) AS posting
    GROUP BY posting.document_id
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
