"""A kind of record that no pack has, with a dossier, for tests of the pure parts of chat."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field

from whence.chat.offer import ByClaim, ByRecord, Chat, Editable, Statement, Topic
from whence.chat.record_view import PastRun, RecordView
from whence.db.tables import SubjectRow
from whence.evidence.lanes import LaneName
from whence.evidence.records import BundledEvidence, Evidence, Judgement
from whence.evidence.wire import Citation, ClaimAnswer, DossierAnswer
from whence.kernel.wire import Wire
from whence.records.kind import SubjectKind

NOW = datetime(2026, 6, 3, 12, tzinfo=UTC)


class Wear(StrEnum):
    NEW = "new"
    LIKE_NEW = "like_new"
    GOOD = "good"
    FOR_PARTS = "for_parts"


class Lamp(Wire):
    title: Annotated[str, Field(min_length=1, max_length=80)]
    note: Annotated[str, Field(max_length=2_000)] = ""
    condition: Wear | None = None
    asking_price: Annotated[float, Field(ge=0, lt=1_000_000)] | None = None
    quantity: Annotated[int, Field(ge=0)] = 1
    sold_on: date | None = None
    works: bool | None = None
    plug: Literal["us", "eu"] = "us"
    tags: list[str] = Field(default_factory=list)
    currency: str = "USD"


KIND = SubjectKind(kind="lamps", title="Lamp", record=Lamp, row=SubjectRow)
EDITABLE = (
    Editable("asking_price", ("asking price", "price")),
    Editable("condition", ("condition", "state")),
    Editable("title", ("title", "name")),
    Editable("note", ("note", "notes")),
    Editable("quantity", ("quantity", "count")),
    Editable("sold_on", ("sale date", "sold on")),
    Editable("works", ("works", "working")),
    Editable("plug", ("plug",)),
    Editable("tags", ("tags",)),
)


def on_price(view: RecordView, question: str) -> list[Statement]:
    claim = view.claim("price.target")
    text = [Statement("Ask what the comparables say.", ())]
    if claim is not None:
        text.insert(0, Statement(f"{claim.statement}", (ByClaim("price.target"),)))
    return text


def on_condition(view: RecordView, question: str) -> list[Statement]:
    return [Statement(f"Its condition is {view.shown['condition']}.", (ByRecord("condition"),))]


CHAT = Chat(
    kind="lamps",
    prompt=Path("chat.md"),
    topics=(
        Topic("price", "price and its range", (r"\bprice", r"\bworth\b"), on_price, "How much?"),
        Topic("condition", "condition", (r"\bcondition\b",), on_condition, "How worn is it?"),
    ),
    editable=EDITABLE,
)


def evidence(number: int, content: str = "Sold for 40.00 USD", **more: Any) -> BundledEvidence:
    stored = Evidence(
        id=UUID(int=number),
        source="library",
        source_id=str(number),
        url=None,
        title=more.pop("title", f"Lamp number {number}"),
        content=content,
        data={"price": 40.0},
        observed_at=NOW - timedelta(days=number),
        fetched_at=NOW,
    )
    judged = Judgement(stored.id, "comp", included=True, reason="same lamp", relevance=0.9)
    return BundledEvidence(stored, replace(judged, **more))


def claim(path: str = "price.target", **more: Any) -> ClaimAnswer:
    values: dict[str, Any] = {
        "path": path,
        "statement": "Its target price is 40.00 USD.",
        "value": 40.0,
        "confidence": 0.72,
        "method": "rules:price@1",
        "verdict": "supported",
        "note": None,
        "evidence": [Citation(evidence_id=UUID(int=1), quote="40.00")],
    }
    return ClaimAnswer(**{**values, **more})


def dossier(*claims: ClaimAnswer, **more: Any) -> DossierAnswer:
    values: dict[str, Any] = {
        "id": UUID(int=900),
        "job_id": UUID(int=901),
        "type": "research",
        "flow_version": "1",
        "lane": LaneName.PRIMARY,
        "fallback": None,
        "schema_version": 1,
        "is_current": True,
        "is_partial": False,
        "not_done": [],
        "notices": [],
        "subject_version": 1,
        "record_changed": False,
        "summary": "A lamp worth 40.00 USD.",
        "body": {"price": {"target": 40.0}},
        "claims": list(claims),
        "created_at": NOW - timedelta(days=2),
    }
    return DossierAnswer(**{**values, **more})


def record_view(
    dossier: DossierAnswer | None = None,
    *shown: BundledEvidence,
    changed_since: bool = False,
    history: tuple[PastRun, ...] = (),
    **fields: Any,
) -> RecordView:
    record = Lamp(**{"title": "Brass lamp", "condition": "good", "asking_price": 50, **fields})
    return RecordView(
        kind=KIND,
        subject_id=UUID(int=7),
        version=3,
        record=record,
        shown=record.model_dump(mode="json", by_alias=True),
        dossier=dossier,
        evidence=shown,
        history=history,
        changed_since=changed_since,
        at=NOW,
    )
