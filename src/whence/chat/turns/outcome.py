"""The message that tells a conversation how its research ended, with references."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.citing.citations import sources_of
from whence.chat.citing.facts import sentences
from whence.chat.citing.safe_markup import AnswerFilter
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.citing.staleness import format_day
from whence.chat.load_record_view import load_record_view
from whence.chat.offer import ByClaim, ByRun, Citation
from whence.chat.record_view import RecordView
from whence.chat.transcript.views import Answer, reference_to
from whence.kernel.clock import now
from whence.kernel.errors import WhenceError
from whence.records.kind import Kinds
from whence.research.tables import Run

METHOD = "rules:outcome@1"
_END = re.compile(r"([.!?…:]+[\"”’)]*)\s*$")


async def outcome_of(session: AsyncSession, kinds: Kinds, run: Run) -> Answer:
    """The outcome of a run; each sentence cites claims, evidence, or the run itself."""
    view = await _load_view(session, kinds, run)
    book, markers = SourceBook(), dict[Source, str]()
    opening, rest = _words(run)
    answer = [opening]
    for sentence in (each.text for each in sentences(rest, ())):
        sources = _sources_for(sentence, run, view)
        marker = "".join(
            dict.fromkeys(
                markers.setdefault(source, markers.get(source) or str(book.add(tool, source)))
                for tool, source in sources
            )
        )
        answer.append(_END.sub(rf" {marker}\1", sentence) if _END.search(sentence) else sentence)
    answer_filter = AnswerFilter(book)
    answer_filter.feed(" ".join(answer))
    answer_filter.end()
    grounded = answer_filter.result()
    references = [reference_to(each.number, each.source) for each in grounded.references]
    return Answer(grounded.text, "research", METHOD, citations=references, meta=_meta(run))


def _words(run: Run) -> tuple[str, str]:
    """A sentence that the run ended, and what it found or why it found nothing."""
    result = run.result or {}
    match run.status:
        case "success":
            partial = (
                "It is incomplete, so its results are partial. " if result.get("partial") else ""
            )
            return "The research is done.", partial + _with_full_stop(result.get("summary") or "")
        case "cancelled":
            return "The research was cancelled.", ""
        case _:
            return "The research failed.", _with_full_stop((run.error or {}).get("message", ""))


def _with_full_stop(text: str) -> str:
    text = " ".join(text.split())
    return text if not text or _END.search(text) else f"{text}."


def _meta(run: Run) -> dict[str, Any]:
    dossier = (run.result or {}).get("dossierId")
    meta: dict[str, Any] = {
        "research": {"jobId": str(run.id), "status": run.status, "dossierId": dossier}
    }
    return meta | {"offer": "research"} if run.status == "error" else meta


async def _load_view(session: AsyncSession, kinds: Kinds, run: Run) -> RecordView | None:
    """The record with its research; None if it is gone or no pack offers its kind any more."""
    kind = kinds.get(run.kind)
    if kind is None:
        return None
    try:
        return await load_record_view(session, kind, run.subject_id, now())
    except WhenceError:
        return None


def _sources_for(sentence: str, run: Run, view: RecordView | None) -> list[tuple[str, Source]]:
    """The claim with the same statement and its evidence; otherwise the run as a whole."""
    dossier = view.dossier if view else None
    if view is None or dossier is None or dossier.job_id != run.id or run.status != "success":
        return [("history", _source(run))]
    claims = (claim for claim in dossier.claims if claim.statement.rstrip(" .") in sentence)
    citations: list[Citation] = [ByClaim(claim.path) for claim in claims]
    return [source for citation in citations or [ByRun()] for source in sources_of(citation, view)]


def _source(run: Run) -> Source:
    """The run itself, with the message of its end."""
    title = f"Research of {format_day(run.created_at)}"
    return Source("run", title, f"{title}: {run.status}. {' '.join(_words(run))}", id=run.id)
