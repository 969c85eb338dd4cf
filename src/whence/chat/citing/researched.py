"""Statements about a record's research: when it was done, what it found, what came before."""

from __future__ import annotations

import re

from whence.chat.offer import ByRun, Statement
from whence.chat.record_view import RecordView

SHOWN_RUNS = 5
"""Earlier runs that an answer names."""
_NAME = re.compile(r"[a-z][A-Z]")
"""A name that begins with a lower-case letter, such as `eBay`."""
_STOP = re.compile(r"[.!?…]+(?=\s)")
_GOES_ON = re.compile(
    r"(?<=; )(?:A|An|The|This|That|These|Those|It|They|There|In|On|At|By|From|For|Of|With|Without|"
    r"About|Between|Half|Not|No|None|Only|So|If|As|And|But|Or|To|Under|Over|Its|Some|All|Each)\b"
)
"""Words that are no names: after a semicolon they begin small."""


def one_sentence(words: str) -> str:
    """Any text as one sentence: a capital at the beginning, a full stop only at the end."""
    clean = _STOP.sub(";", " ".join(words.split())).rstrip(".!?… ")
    clean = _GOES_ON.sub(lambda match: match[0].lower(), clean)
    first = clean[:1] if _NAME.match(clean) else clean[:1].upper()
    return f"{first}{clean[1:]}."


def latest_research(view: RecordView) -> list[Statement]:
    """The current research, and whether the record changed since; empty without research."""
    if view.dossier is None:
        return []
    by = (ByRun(),)
    statements = [
        Statement(f"It was last researched on {view.dossier.created_at:%Y-%m-%d}.", by),
        Statement(one_sentence(f"That research found: {view.dossier.summary}"), by),
    ]
    if view.changed_since:
        statements.append(
            Statement("The record has changed since then; the research does not cover the change.")
        )
    return statements


def earlier_research(view: RecordView) -> list[Statement]:
    """The earlier runs, newest first."""
    now = view.dossier.job_id if view.dossier else None
    before = [run for run in view.history if run.run_id != now][:SHOWN_RUNS]
    return [
        Statement(
            f"Earlier research, requested on {run.asked_at:%Y-%m-%d}, ended with: {run.status}.",
            (ByRun(run.run_id),),
        )
        for run in before
    ]
