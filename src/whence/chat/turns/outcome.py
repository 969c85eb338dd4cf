"""The message with which a conversation is told how its research ended, with its references."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.citing.citations import sources_of
from whence.chat.citing.facts import sentences
from whence.chat.citing.safe_markup import AnswerFilter
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.citing.staleness import told_day
from whence.chat.load_record_view import load_record_view
from whence.chat.offer import ByClaim, ByRun, Citation
from whence.chat.record_view import RecordView
from whence.chat.transcript.views import Answer, cited
from whence.kernel.clock import now
from whence.kernel.errors import WhenceError
from whence.records.kind import Kinds
from whence.research.tables import Run

METHOD = "rules:outcome@1"
_END = re.compile(r"([.!?…:]+[\"”’)]*)\s*$")


async def outcome_of(session: AsyncSession, kinds: Kinds, run: Run) -> Answer:
    """What a run came to, each sentence with what carries it: claims, evidence, or the run."""
    look = await _look(session, kinds, run)
    book, known = SourceBook(), dict[Source, str]()
    begun, rest = _words(run)
    said = [begun]
    for sentence in (each.text for each in sentences(rest, ())):
        carried = _carried(sentence, run, look)
        marks = "".join(
            dict.fromkeys(
                known.setdefault(source, known.get(source) or str(book.add(tool, source)))
                for tool, source in carried
            )
        )
        said.append(_END.sub(rf" {marks}\1", sentence) if _END.search(sentence) else sentence)
    screen = AnswerFilter(book)
    screen.feed(" ".join(said))
    screen.end()
    shown = screen.result()
    references = [cited(each.number, each.source) for each in shown.references]
    return Answer(shown.text, "research", METHOD, citations=references, meta=_meta(run))


def _words(run: Run) -> tuple[str, str]:
    """That it ended, which the message itself is; and what it found, or why it found nothing."""
    result = run.result or {}
    match run.status:
        case "success":
            partial = "It ended early, so it is partial. " if result.get("partial") else ""
            return "The research is done.", partial + _ended(result.get("summary") or "")
        case "cancelled":
            return "The research was cancelled.", ""
        case _:
            return "The research failed.", _ended((run.error or {}).get("message", ""))


def _ended(text: str) -> str:
    text = " ".join(text.split())
    return text if not text or _END.search(text) else f"{text}."


def _meta(run: Run) -> dict[str, Any]:
    dossier = (run.result or {}).get("dossierId")
    meta: dict[str, Any] = {
        "research": {"jobId": str(run.id), "status": run.status, "dossierId": dossier}
    }
    return meta | {"offer": "research"} if run.status == "error" else meta


async def _look(session: AsyncSession, kinds: Kinds, run: Run) -> RecordView | None:
    """The record with its research; None where it is gone, or no pack knows its kind any more."""
    kind = kinds.get(run.kind)
    if kind is None:
        return None
    try:
        return await load_record_view(session, kind, run.subject_id, now())
    except WhenceError:
        return None


def _carried(sentence: str, run: Run, look: RecordView | None) -> list[tuple[str, Source]]:
    """A claim that says the same carries it with its evidence; else the run does as a whole."""
    dossier = look.dossier if look else None
    if look is None or dossier is None or dossier.job_id != run.id or run.status != "success":
        return [("history", _source(run))]
    claims = (claim for claim in dossier.claims if claim.statement.rstrip(" .") in sentence)
    carriers: list[Citation] = [ByClaim(claim.path) for claim in claims]
    return [found for one in carriers or [ByRun()] for found in sources_of(one, look)]


def _source(run: Run) -> Source:
    """The run by itself, with the words in which it ended."""
    title = f"Research of {told_day(run.created_at)}"
    return Source("run", title, f"{title}: {run.status}. {' '.join(_words(run))}", id=run.id)
