"""Researches many records at once, with one display of progress for all of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from whence.app.platform import Platform
from whence.cli.listing import filters_of, query_of
from whence.db.tables import SubjectRow
from whence.kernel.errors import Conflict, NotReady
from whence.records import listing
from whence.records.kind import SubjectKind
from whence.research.runs import WantedRun
from whence.work.queue import Priority

OUTCOMES = ("done", "partial", "failed", "paused", "left out")
"""What may become of a record, in the order of the summary."""


@dataclass(frozen=True)
class Outcome:
    """What became of one record."""

    record: str
    """As `items/HP-001`."""
    outcome: str
    job_id: str | None = None
    message: str | None = None


@dataclass
class Summary:
    """What became of all of them."""

    outcomes: list[Outcome] = field(default_factory=list[Outcome])

    def count(self, outcome: str) -> int:
        """How many records have this outcome."""
        return sum(each.outcome == outcome for each in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        records = [
            {"record": each["record"], "outcome": each["outcome"], "jobId": each["job_id"],
             "message": each["message"]}
            for each in map(asdict, self.outcomes)
        ]  # fmt: skip
        return {"counts": {name: self.count(name) for name in OUTCOMES}, "records": records}

    def print(self, console: Console) -> None:
        """The counts, and every record that has no complete result with the reason."""
        counts = [f"{number} {name}" for name in OUTCOMES if (number := self.count(name))]
        console.print(", ".join(counts) or "No record matches.")
        for each in self.outcomes:
            if each.outcome != "done":
                words = f"{each.record}: {each.outcome}: {each.message or ''}".rstrip(": ")
                console.print(f"  {escape(words)}", highlight=False)


async def records_of(
    platform: Platform, kind: SubjectKind, where: Sequence[str]
) -> AsyncGenerator[SubjectRow]:
    """All records of a kind that the filters take.  Raises Invalid."""
    async with aclosing(pages_of(platform, kind, where)) as pages:
        async for rows in pages:
            for row in rows:
                yield row


async def pages_of(
    platform: Platform, kind: SubjectKind, where: Sequence[str]
) -> AsyncGenerator[Sequence[SubjectRow]]:
    """The same records, page by page.  Raises Invalid."""
    filters, cursor = filters_of(where), None
    model = listing.list_query(kind)
    while True:
        paged = {"limit": listing.PAGE_LIMIT, "cursor": cursor}
        async with platform.unit(platform.owner) as session:
            page = await listing.page(session, kind, query_of(model, filters | paged))
        yield page.rows
        cursor = page.next_cursor
        if cursor is None:
            return


async def research_many(
    platform: Platform,
    kind: SubjectKind,
    where: Sequence[str],
    console: Console,
    *,
    priority: Priority,
    options: Mapping[str, bool],
    version: str | None,
    wanted: WantedRun,
) -> Summary:
    """Request the research of all records that the filters take, and wait until each has ended.

    A record that cannot be researched is left out, with the reason.  A paused run is not waited
    for.
    """
    summary, submitted = Summary(), list[tuple[str, UUID]]()
    async with aclosing(records_of(platform, kind, where)) as rows:
        async for row in rows:
            name = f"{kind.kind}/{row.external_id or row.id}"
            try:
                async with platform.unit(platform.owner) as session:
                    submission = await platform.ask(
                        session,
                        platform.owner,
                        kind,
                        row.id,
                        version=version,
                        priority=priority,
                        options={each: True for each, is_on in options.items() if is_on} or None,
                        wanted=wanted,
                    )
            except (NotReady, Conflict) as refusal:
                summary.outcomes.append(Outcome(name, "left out", message=refusal.message))
            else:
                submitted.append((name, submission.id))
    with _display(console) as progress:
        task = progress.add_task(f"Researching {kind.plural}", total=len(submitted))
        for name, job_id in submitted:
            outcome = await _outcome(platform, name, job_id)
            summary.outcomes.append(outcome)
            progress.advance(task)
            if not console.is_terminal:
                console.print(escape(f"{name}: {outcome.outcome}"), highlight=False)
    return summary


def _display(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    elapsed = TimeElapsedColumn()
    return Progress(*columns, elapsed, console=console, disable=not console.is_terminal)


async def _outcome(platform: Platform, name: str, job_id: UUID) -> Outcome:
    """How a run ended, or that it is paused."""
    async with aclosing(platform.bus.tail(platform.owner.org_id, job_id)) as batches:
        async for batch in batches:
            for event in batch:
                if event.type == "job_paused":
                    return Outcome(name, "paused", str(job_id), event.payload["notice"])
                if event.type == "job_complete":
                    return _ended(name, job_id, event.payload)
    raise AssertionError("a run's stream ends with job_complete")


def _ended(name: str, job_id: UUID, end: Mapping[str, Any]) -> Outcome:
    if end["status"] != "success":
        message = (end["error"] or {}).get("message") or f"The run was {end['status']}."
        return Outcome(name, "failed", str(job_id), message)
    outcome = "partial" if end["partial"] else "done"
    return Outcome(name, outcome, str(job_id), end["summary"])
