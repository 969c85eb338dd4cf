"""What can be said of a record's research as such: when it was, what it found, what came before."""

from __future__ import annotations

import re

from whence.chat.offer import ByRun, Statement
from whence.chat.record_view import RecordView

SHOWN_RUNS = 5
"""Earlier runs that an answer names."""
_NAME = re.compile(r"[a-z][A-Z]")
"""A name that is written so: `eBay`."""
_STOP = re.compile(r"[.!?…]+(?=\s)")


def one_sentence(words: str) -> str:
    """One sentence of whatever words: a capital at its beginning, a full stop only at its end."""
    clean = _STOP.sub(";", " ".join(words.split())).rstrip(".!?… ")
    first = clean[:1] if _NAME.match(clean) else clean[:1].upper()
    return f"{first}{clean[1:]}."


def latest_research(look: RecordView) -> list[Statement]:
    """The research that answers now, and that it does not know of later changes; empty without."""
    if look.dossier is None:
        return []
    by = (ByRun(),)
    said = [
        Statement(f"It was last researched on {look.dossier.created_at:%Y-%m-%d}.", by),
        Statement(one_sentence(f"That research found: {look.dossier.summary}"), by),
    ]
    if look.changed_since:
        said.append(
            Statement("The record was changed since, and the research does not know of it.")
        )
    return said


def earlier_research(look: RecordView) -> list[Statement]:
    """The runs before it, the newest first."""
    now = look.dossier.job_id if look.dossier else None
    before = [run for run in look.history if run.run_id != now][:SHOWN_RUNS]
    return [
        Statement(
            f"Asked on {run.asked_at:%Y-%m-%d}, another research ended with: {run.status}.",
            (ByRun(run.run_id),),
        )
        for run in before
    ]
