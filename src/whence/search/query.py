"""Searching the index: documents that hold every word, and how well each matches (BM25).

Rare words lead.  A word that stands in very many documents is only looked up in those that the
others found, and adds nothing to the rank: it tells next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    cast,
    column,
    exists,
    func,
    literal,
    or_,
    select,
    table,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from whence.search.words import Slot

MOST_COUNTED = 5_000
"""Documents up to which a word is counted; from here on it is common, and does not lead."""
SATURATION = 1.2
"""BM25's k1: how soon another occurrence of a word counts no more."""
LENGTH_WEIGHT = 0.75
"""BM25's b: how much a long document is marked down."""
SAMPLE = 1_000
"""Documents by which the usual length is estimated."""
SCALE = 1_000
"""Scores are whole numbers, so that adding them up in any order gives the same score."""
_END = "\U0010ffff"
"""Sorts after every character that may follow in a word."""
POSTINGS = table(
    "search_postings",
    *map(column, ("collection", "term", "document_id", "frequency", "length")),
    schema="whence",
)
_DOCUMENTS = table("search_documents", *map(column, ("collection", "length")), schema="whence")


@dataclass(frozen=True)
class Ranking:
    """How a search ranks: what each word weighs (None: it is common), and the usual length.

    Pages of one search share it, so that documents that come and go do not move the others.
    """

    weights: tuple[int | None, ...]
    usual_length: int

    def parts(self) -> list[Any]:
        """As it stands in a cursor."""
        return [self.usual_length, *self.weights]

    @classmethod
    def of_parts(cls, parts: Any, slots: Sequence[Slot]) -> Ranking:
        """What `parts` wrote, for the same words.  Raises ValueError."""
        length, *weights = parts
        numbers = [each for each in (length, *weights) if each is not None]
        if len(weights) != len(slots) or not all(type(each) is int for each in numbers):
            raise ValueError("the ranking of another search")
        if not 0 < length < 10**6 or not all(0 <= each < 10**6 for each in numbers):
            raise ValueError("no ranking")
        return cls(tuple(weights), length)


async def ranking(session: AsyncSession, collection: str, slots: Sequence[Slot]) -> Ranking:
    """Count the words of a search, as far as it takes to weigh them."""
    counted = [
        _counted(select(POSTINGS.c.document_id).where(_of(collection, slot))) for slot in slots
    ]
    all_of = select(_DOCUMENTS.c.length).where(_DOCUMENTS.c.collection == collection)
    sample = all_of.limit(SAMPLE).subquery()
    usual = select(func.avg(sample.c.length)).scalar_subquery()
    documents = _counted(all_of.subquery().select())
    total, length, *counts = (await session.execute(select(documents, usual, *counted))).one()
    leads = [count < MOST_COUNTED for count in counts]
    if not any(leads):
        leads[counts.index(min(counts))] = True
    weights = tuple(
        round(SCALE * math.log(1 + (max(total, count) - count + 0.5) / (count + 0.5)))
        if is_lead
        else None
        for count, is_lead in zip(counts, leads, strict=True)
    )
    return Ranking(weights, max(1, round(length or 1)))


def matches(collection: str, slots: Sequence[Slot], ranked: Ranking) -> Select[Any, Any]:
    """`document_id` and `score` of the documents that hold every word."""
    leading, common = list[Any](), list[Slot]()
    for slot, weight in zip(slots, ranked.weights, strict=True):
        if weight is None:
            common.append(slot)
            continue
        score = func.max(_score(weight, ranked.usual_length)).label("score")
        matching = select(POSTINGS.c.document_id, score).where(_of(collection, slot))
        leading.append(matching.group_by(POSTINGS.c.document_id))
    each: Any = union_all(*leading).subquery()
    total = cast(func.sum(each.c.score), BigInteger).label("score")
    every = (
        select(each.c.document_id, total)
        .group_by(each.c.document_id)
        .having(func.count() == len(leading))
    )
    if not common:
        return every
    led: Any = every.subquery()
    return select(led.c.document_id, led.c.score).where(
        *(_holds(collection, slot, led.c.document_id) for slot in common)
    )


def _of(collection: str, slot: Slot, postings: Any = POSTINGS) -> ColumnElement[bool]:
    """Whether a posting is of this word."""
    return and_(postings.c.collection == collection, _spelt(postings.c.term, slot))


def _holds(collection: str, slot: Slot, document_id: ColumnElement[Any]) -> ColumnElement[bool]:
    postings = POSTINGS.alias()
    same = postings.c.document_id == document_id
    return exists(select(literal(1)).where(same, _of(collection, slot, postings)))


def _spelt(term: ColumnElement[Any], slot: Slot) -> ColumnElement[bool]:
    begun = [and_(term >= each, term < each + _END) for each in slot.prefixes]
    return or_(*([term.in_(slot.spellings)] if slot.spellings else []), *begun)


def _counted(rows: Select[Any]) -> Any:
    some = rows.limit(MOST_COUNTED).subquery()
    return select(func.count()).select_from(some).scalar_subquery()


def _score(weight: int, usual_length: int) -> ColumnElement[Any]:
    shorter = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * POSTINGS.c.length / float(usual_length)
    frequency = POSTINGS.c.frequency * (SATURATION + 1)
    return func.round(weight * frequency / (POSTINGS.c.frequency + SATURATION * shorter))
