"""resale.answers: whether every sentence of an answer by rules cites sources that contain its
figures."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.perception.reader import PhotographReader
from whence.packs.resale.records import Item
from whence.sdk.chat import RecordView
from whence.sdk.citations import Grounded, topics_of
from whence.sdk.errors import Invalid
from whence.sdk.testing import answer_by_rules
from whence.sdk.values import Wire, now

from .messages import rows_of
from .shop import Shop, read_sample_items, research

_BETWEEN = re.compile(r"(?<=[.!?…])\s+(?=[A-Z“])|\n+")
_REFERENCE = re.compile(r"\[\d+\]")
ITEMS, LISTINGS, QUESTIONS = "items.csv", "listings.csv", "questions.jsonl"


class Question(Wire):
    """A question about an item of the folder, and its topic."""

    item: str
    text: str
    topic: str


@dataclass(frozen=True)
class AnswersReport:
    """Counts over all answers; `uncited_factual` and `unsupported` should be 0."""

    questions: int
    answered: int
    """Questions whose answer has a citation."""
    right_topic: float
    """Share of the questions that were answered on their topic only."""
    sentences: int
    cited: int
    """Sentences with a source."""
    uncited_factual: int
    """Sentences that state a figure, a date or a field's value, without a source."""
    unsupported: int
    """Figures and dates that no source of their sentence contains."""
    removed: int
    """Removed markers without a source."""
    items: int
    claims: int
    unsupported_claims: int


def answers(data: Path) -> AnswersReport:
    """Research the items of a folder in memory, ask every question, check every sentence.

    Raises:
        Invalid: a file is missing or malformed, or a question names an item that is not there.
    """
    at = now()
    questions = list(read_questions(data / QUESTIONS))
    items = read_sample_items(data / ITEMS, at)
    shop = Shop.read(data / LISTINGS, at)
    if strange := sorted({each.item for each in questions} - items.keys()):
        raise Invalid(f"{data / QUESTIONS}: there is no item {', '.join(strange)} in {ITEMS}")
    wanted = sorted({each.item for each in questions})
    chosen = {ident: items[ident] for ident in wanted}
    looks = asyncio.run(load_record_views(chosen, shop, at))
    responses = [answer_by_rules(CHAT, looks[each.item], each.text) for each in questions]
    topics = [[topic.name for topic in topics_of(CHAT, each.text)] for each in questions]
    right = sum(matched == [each.topic] for matched, each in zip(topics, questions, strict=True))
    pieces = [piece for answer in responses for piece in sentences_of(answer)]
    claims = [c for look in looks.values() if look.dossier for c in look.dossier.claims]
    return AnswersReport(
        questions=len(questions),
        answered=sum(bool(answer.references) for answer in responses),
        right_topic=right / len(questions) if questions else 0.0,
        sentences=len(pieces),
        cited=sum(is_cited for _, is_cited in pieces),
        uncited_factual=sum(len(answer.uncited) for answer in responses),
        unsupported=sum(len(answer.unsupported) for answer in responses),
        removed=sum(answer.removed for answer in responses),
        items=len(looks),
        claims=len(claims),
        unsupported_claims=sum(claim.verdict == "unsupported" for claim in claims),
    )


def sentences_of(answer: Grounded) -> list[tuple[str, bool]]:
    """The sentences of an answer, and whether each has a reference."""
    parts = [part.strip() for part in _BETWEEN.split(answer.text)]
    return [(part, _REFERENCE.search(part) is not None) for part in parts if part]


async def load_record_views(
    items: Mapping[str, Item], shop: Shop, at: datetime
) -> dict[str, RecordView]:
    """The view that a chat turn has of each researched item, by id."""
    reader = PhotographReader()
    try:
        return {
            ident: (await research(ident, item, shop, at, reader)).record_view()
            for ident, item in items.items()
        }
    finally:
        await reader.close()


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file; raises Invalid, which names a malformed line."""
    topics = {topic.name for topic in CHAT.topics}
    for number, row in rows_of(path):
        try:
            question = Question.model_validate(row)
        except ValidationError as error:
            raise Invalid(f"{path}, line {number}: not an item, a text and a topic") from error
        if question.topic not in topics:
            raise Invalid(f"{path}, line {number}: there is no topic '{question.topic}'")
        yield question
