"""resale.answers: is every sentence of an answer by rules carried by what contains its figures?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import UUID

from pydantic import ValidationError

from whence.packs.resale import items
from whence.packs.resale.chat.offer import CHAT
from whence.packs.resale.flows.figures import RECOMPUTATIONS
from whence.packs.resale.records import Item
from whence.sdk.chat import PastRun, RecordView
from whence.sdk.citations import Grounded, topics_of
from whence.sdk.errors import Invalid
from whence.sdk.evidence import ClaimAnswer, ClaimDraft, DossierAnswer, DossierDraft, check_claim
from whence.sdk.testing import answer_by_rules
from whence.sdk.values import Wire, new_id, now

from .messages import rows_of
from .sample_research import Bundle, Shop, read_sample_items, research

_BETWEEN = re.compile(r"(?<=[.!?…])\s+(?=[A-Z“])|\n+")
_REFERENCE = re.compile(r"\[\d+\]")
ITEMS, LISTINGS, QUESTIONS = "items.csv", "listings.csv", "questions.jsonl"


class Question(Wire):
    """A question on an item of the folder, and the topic that it is about."""

    item: str
    text: str
    topic: str


@dataclass(frozen=True)
class AnswersReport:
    """Counts over all answers; `uncited` and `unsupported` are wanted 0."""

    questions: int
    answered: int
    """Questions whose answer cites anything."""
    right_topic: float
    """Share of the questions that were answered on their topic, and on no other."""
    sentences: int
    cited: int
    """Sentences with a source."""
    uncited_factual: int
    """Sentences that state a figure, a date or a field's value, without a source."""
    unsupported: int
    """Figures and dates that stand in no source of their sentence."""
    removed: int
    """Markers that pointed nowhere."""
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
    looks = {ident: load_record_view(ident, items[ident], shop, at) for ident in wanted}
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


def load_record_view(ident: str, item: Item, shop: Shop, at: datetime) -> RecordView:
    """What a turn would know of an item that was just researched."""
    draft, bundle = research(ident, item, shop, at)
    run = new_id()
    meta = {"version": 1, "createdAt": at.isoformat(), "externalId": ident}
    return RecordView(
        kind=items.ITEMS,
        subject_id=new_id(),
        version=1,
        record=item,
        shown={**meta, **item.model_dump(mode="json", by_alias=True)},
        dossier=_dossier(draft, bundle, run, at),
        evidence=bundle.all(),
        history=[PastRun(run, "success", at, at, draft.summary)],
        changed_since=False,
        at=at,
    )


def read_questions(path: Path) -> Iterator[Question]:
    """The questions of a file; raises Invalid naming the line that is none."""
    topics = {topic.name for topic in CHAT.topics}
    for number, row in rows_of(path):
        try:
            question = Question.model_validate(row)
        except ValidationError as error:
            raise Invalid(f"{path}, line {number}: not an item, a text and a topic") from error
        if question.topic not in topics:
            raise Invalid(f"{path}, line {number}: there is no topic '{question.topic}'")
        yield question


def _dossier(draft: DossierDraft, bundle: Bundle, run: UUID, at: datetime) -> DossierAnswer:
    return DossierAnswer.model_validate(
        {
            "id": new_id(),
            "jobId": run,
            "type": "research",
            "flowVersion": "1",
            "lane": "primary",
            "fallback": None,
            "schemaVersion": draft.schema_version,
            "isCurrent": True,
            "isPartial": draft.partial,
            "notDone": list(draft.not_done),
            "notices": [],
            "subjectVersion": 1,
            "recordChanged": False,
            "summary": draft.summary,
            "body": dict(draft.body),
            "claims": [_claim(claim, bundle) for claim in draft.claims],
            "createdAt": at,
        }
    )


def _claim(draft: ClaimDraft, bundle: Bundle) -> ClaimAnswer:
    checked = check_claim(draft, bundle.found, RECOMPUTATIONS)
    return ClaimAnswer.model_validate(
        {
            "path": draft.path,
            "statement": draft.statement,
            "value": draft.value,
            "confidence": draft.confidence,
            "method": draft.method,
            "verdict": checked.verdict.value,
            "note": checked.draft.note,
            "evidence": [
                {
                    "evidenceId": cite.evidence_id,
                    "quote": cite.quote,
                    "startsAt": cite.starts_at,
                    "endsAt": cite.ends_at,
                }
                for cite in checked.cites
            ],
        }
    )
