"""Documents that share words with a text, weighed by the caller: the nearest need not hold all.

A collection that is searched so stores its counts (`index.count_terms`), because the weight of a
word depends on how many documents hold it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ARRAY, Float, Select, Text, bindparam, cast, column, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db import statements
from whence.search.query import POSTINGS

_COUNTS = """
    SELECT term, documents FROM whence.search_counts
    WHERE collection = %(collection)s AND term = ANY(%(terms)s)
"""


async def counts(
    session: AsyncSession, collection: str, terms: Sequence[str]
) -> tuple[int, dict[str, int]]:
    """How many documents there are, and in how many of them each of these terms occurs."""
    values = {"collection": collection, "terms": ["", *terms]}
    counted: dict[str, int] = dict(await statements.rows(session, _COUNTS, values))
    return counted.pop("", 0), counted


def nearest(collection: str, weights: Mapping[str, float]) -> Select[Any, Any]:
    """`document_id` and `likeness` of every document that holds one of these terms, in no order.

    The likeness is the weight of the shared terms, divided by the square root of the document's
    length.
    """
    terms = cast(bindparam("terms", list(weights), unique=True), ARRAY(Text))
    values = cast(bindparam("weights", list(weights.values()), unique=True), ARRAY(Float))
    weighed = (
        func.unnest(terms, values)
        .table_valued(column("term", Text), column("weight", Float), name="weighed")
        .render_derived()
    )
    likeness = func.sum(weighed.c.weight) / func.sqrt(func.max(POSTINGS.c.length))
    return (
        select(POSTINGS.c.document_id, likeness.label("likeness"))
        .join_from(weighed, POSTINGS, POSTINGS.c.term == weighed.c.term)
        .where(POSTINGS.c.collection == collection)
        .group_by(POSTINGS.c.document_id)
    )
