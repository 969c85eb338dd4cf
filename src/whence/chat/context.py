"""The record and its research as text for a model: marked, fenced as data, within a budget."""

from __future__ import annotations

from whence.chat.carriers import claim_source, evidence_source, record_source
from whence.chat.look import Look
from whence.chat.sources import SourceBook
from whence.llm.budget import estimate_tokens


def context_of(look: Look, book: SourceBook, tokens: int) -> str:
    """The look as prompt text of at most `tokens`; all that it shows is put into the book."""
    lines: list[str] = []
    left = tokens
    shown = [("record", record_source(look, field)) for field in look.shown]
    shown += [("dossier", claim_source(c)) for c in (look.dossier.claims if look.dossier else ())]
    shown += [("evidence", evidence_source(found)) for found in look.evidence]
    for tool, source in shown:
        cost = estimate_tokens(source.content) + 20
        if cost <= left:
            left -= cost
            lines.append(f"{book.add(tool, source)} {source.content}")
    return "\n".join(lines)
