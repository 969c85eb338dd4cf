"""What the tables say about runs, read past the program, and the laws that hold for each run."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

ENDED = ("success", "error", "cancelled")
_TABLES = """
    SELECT schemaname || '.' || tablename AS name FROM pg_tables
    WHERE schemaname IN ('whence', 'checkpoints', 'jobs') ORDER BY 1
"""
_RESULT = """
    SELECT jsonb_build_object(
        'status', w.status, 'failures', w.outages + w.crashes + w.deaths, 'error', w.error,
        'notice', w.notice, 'calls', w.spent_calls, 'tokens', w.spent_tokens,
        'usd', round(w.spent_usd::numeric, 9),
        'dossier', jsonb_build_object('summary', d.summary, 'body', d.body,
            'partial', d.is_partial, 'schema', d.schema_version, 'not done', d.not_done,
            'notices', d.notices),
        'claims', (SELECT jsonb_agg(jsonb_build_object('path', c.path, 'statement', c.statement,
                'value', c.value, 'confidence', c.confidence, 'method', c.method,
                'verdict', c.verdict, 'note', c.note,
                'cites', (SELECT jsonb_agg(jsonb_build_array(e.source, e.source_id, e.content,
                        x.quote, x.starts_at, x.ends_at) ORDER BY x.ordinal)
                    FROM whence.claim_evidence x JOIN whence.evidence e ON e.id = x.evidence_id
                    WHERE x.claim_id = c.id)) ORDER BY c.path)
            FROM whence.claims c WHERE c.dossier_id = d.id),
        'bundle', (SELECT jsonb_agg(jsonb_build_array(e.source, e.source_id, e.title, e.content,
                b.role, b.relevance, b.included, b.reason) ORDER BY e.source, e.source_id)
            FROM whence.bundle_items b JOIN whence.evidence e ON e.id = b.evidence_id
            WHERE b.run_id = w.id))
    FROM whence.runs r JOIN whence.work w USING (org_id, id)
        LEFT JOIN whence.dossiers d ON d.run_id = w.id WHERE w.id = %s
"""


@dataclass(frozen=True)
class Rows:
    """The database of a test, seen by its superuser."""

    url: str

    def all(self, query: str, *values: Any) -> list[dict[str, Any]]:
        with psycopg.connect(self.url, row_factory=dict_row) as connection:
            return connection.execute(query.encode(), values or None).fetchall()

    def one(self, query: str, *values: Any) -> Any:
        [row] = self.all(query, *values)
        [value] = row.values()
        return value

    def run(self, run_id: UUID) -> dict[str, Any]:
        [row] = self.all(
            "SELECT * FROM whence.work JOIN whence.runs USING (org_id, id) WHERE id = %s", run_id
        )
        return row

    def events(self, run_id: UUID) -> list[dict[str, Any]]:
        query = "SELECT seq, type, payload FROM whence.events WHERE stream_id = %s ORDER BY seq"
        return self.all(query, run_id)

    def steps(self, run_id: UUID) -> list[tuple[str, int, str]]:
        query = "SELECT * FROM whence.run_steps WHERE run_id = %s ORDER BY ordinal"
        return [(s["node"], s["attempt"], s["status"]) for s in self.all(query, run_id)]

    def jobs(self) -> list[str]:
        return [j["s"] for j in self.all("SELECT status::text s FROM jobs.procrastinate_jobs")]

    def evidence(self) -> list[dict[str, Any]]:
        query = "SELECT * FROM whence.evidence ORDER BY source, source_id, content_hash"
        return self.all(query)

    def result(self, run_id: UUID) -> dict[str, Any]:
        """All that a run concluded and spent; evidence stands in place of its ids."""
        return self.one(_RESULT, run_id)

    def tell(self, run_ids: list[UUID], text: str) -> None:
        """Let the notes of these runs say something else."""
        query = (
            "UPDATE sample_pack.notes SET text = %s WHERE id IN "
            "(SELECT subject_id FROM whence.runs WHERE id = ANY(%s)) RETURNING 1"
        )
        self.all(query, text, run_ids)

    def of_run(self, run_id: UUID) -> dict[str, list[str]]:
        """Every row that names the run, in every table: the run's own and the queue's."""
        tables = [row["name"] for row in self.all(_TABLES)]
        query = "SELECT t::text t FROM {} t WHERE t::text LIKE %s ORDER BY 1"
        naming = f"%{run_id}%"
        return {name: [r["t"] for r in self.all(query.format(name), naming)] for name in tables}

    def faults(self, run_id: UUID) -> list[str]:
        """Which laws of a run that has ended do not hold; none is how it should be."""
        run, events = self.run(run_id), self.events(run_id)
        collected: list[str] = []

        def law(name: str, holds: bool, why: object) -> None:
            if not holds:
                collected.append(f"{name}: {why}")

        seqs = [event["seq"] for event in events]
        law("seq is dense", seqs == list(range(1, len(seqs) + 1)), seqs)
        keys = Counter(_identity(event) for event in events)
        doubled = [key for key, times in keys.items() if times > 1 and key]
        law("no event appears twice", doubled == [], doubled)
        final = [e["payload"]["status"] for e in events if e["type"] == "job_complete"]
        law("one final event, that of the final state", final == [run["status"]], final)
        last = events[-1]["type"] if events else None
        law("the final event is the last", last == "job_complete", last)
        law("it has ended", run["status"] in ENDED and run["completed_at"], run["status"])
        steps = self.steps(run_id)
        law("no step is open", all(s[2] != "running" for s in steps), steps)
        query = "SELECT count(*) FROM whence.dossiers WHERE run_id = %s"
        dossiers = self.one(query, run_id)
        expected = {"success": (1,), "cancelled": (0, 1)}.get(run["status"], (0,))
        law("one dossier", dossiers in expected, dossiers)
        ends = {e["payload"]["step"] for e in events if e["type"] == "node_complete"}
        starts = {e["payload"]["step"] for e in events if e["type"] == "node_started"}
        law("what ended had begun, and what began has ended", ends == starts, ends ^ starts)
        law("every step was told", starts == set(range(1, len(steps) + 1)), starts)
        return collected


def _identity(event: dict[str, Any]) -> str:
    """What makes an event the same as another; empty for those that may be repeated."""
    payload = event["payload"]
    match event["type"]:
        case "job_started":
            return f"job_started {payload['attempt']}"
        case "node_started" | "node_complete":
            return f"{event['type']} {payload['step']}"
        case "job_complete":
            return "job_complete"
        case "job_queued" | "job_paused" | "progress" | "job_notice":
            return ""
        case _:
            return json.dumps([event["type"], payload], sort_keys=True)
