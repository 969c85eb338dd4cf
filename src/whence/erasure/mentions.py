"""Erases mentions in texts that stay: other conversations, reports, logs and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import search
from whence.erasure.names import ERASED
from whence.erasure.sets import Sets
from whence.work.queue import JobQueue
from whence.work.submission import interrupt

_OWN = (
    "record",
    "runs",
    "work",
    "dossiers",
    "sections",
    "claims",
    "evidence",
    "own_evidence",
    "conversations",
    "wizards",
    "proposals",
)
"""Sets whose ids a text may contain."""


def _speaks(column: str) -> str:
    """An SQL condition: the text contains one of the ids or names."""
    return f"""(whence.ids_in({column}) && CAST(:ids AS uuid[])
        OR (:names <> '' AND {column} ~* :names))"""


# A turn goes as a whole: what was asked says as much as what was answered.
_MESSAGES = text(f"""
    WITH speaking AS (
        SELECT id, turn_id FROM whence.chat_messages
        WHERE {_speaks("concat(content, ' ', citations, tool_calls, actions, meta)")}
    )
    UPDATE whence.chat_messages m SET content = :erased, intent = NULL, citations = '[]',
        tool_calls = '[]', actions = '[]',
        meta = jsonb_build_object('erased', CAST(:erasure AS text))
    WHERE m.id IN (SELECT id FROM speaking) OR m.turn_id IN (SELECT turn_id FROM speaking)
    RETURNING m.id
""")
_TITLES = text(f"""
    UPDATE whence.chat_sessions c SET title = :erased
    WHERE {_speaks("c.title")} OR EXISTS (SELECT FROM whence.chat_messages m
        WHERE m.org_id = c.org_id AND m.session_id = c.id AND m.ordinal = 1
        AND m.id = ANY (CAST(:messages AS uuid[])))
""")
_EVENTS = text(f"DELETE FROM whence.events WHERE {_speaks('payload::text')}")
_TOOL_CALLS = text(f"""
    SELECT id FROM whence.tool_calls
    WHERE {_speaks("concat(arguments, ' ', result, ' ', error)")}
""")
_EXCHANGES = text(f"""
    SELECT call_id FROM whence.model_exchanges
    WHERE {_speaks("concat(messages, ' ', answer)")}
""")
# What an emptied message was written from goes with it.
_CONTEXTS = text(f"""
    SELECT message_id FROM whence.turn_contexts
    WHERE message_id = ANY (CAST(:messages AS uuid[])) OR {_speaks("concat(model, ' ', rules)")}
""")
# An attempt under way holds the state in memory, and would save it again as it was.
_UNDER_WAY = text(f"""
    SELECT id FROM whence.work WHERE status = 'running' AND {_speaks("state::text")} FOR UPDATE
""")
# The state keeps its shape: emptied, it would make the job repeat what it has done.
_WORK = text(f"""
    UPDATE whence.work SET result = NULL, error = NULL, progress_message = NULL,
        state = whence.without_mentions(state, CAST(:ids AS uuid[]), :names)
    WHERE {_speaks("concat(state, ' ', result, ' ', error, ' ', progress_message)")}
""")
_JOBS = text(f"""
    SELECT id FROM whence.work WHERE type <> 'research' AND {_speaks("concat(key, ' ', payload)")}
""")
_SCHEDULES = text(f"""
    SELECT id FROM whence.schedules WHERE {_speaks("concat(title, ' ', payload)")}
""")
_SCHEDULE_ERRORS = text(f"""
    UPDATE whence.schedules SET last_error = NULL WHERE {_speaks("last_error")}
""")
_PROBLEMS = text("""
    UPDATE whence.import_problems p
    SET field = NULL, value = '', reason = :erased, external_id = NULL
    WHERE EXISTS (SELECT FROM whence.import_rows r WHERE r.org_id = p.org_id
            AND r.import_id = p.import_id AND r.line = p.line
            AND r.record_id = ANY (CAST(:records AS uuid[])))
        OR (:names <> ''
            AND (p.value ~* :names OR p.reason ~* :names OR p.external_id ~* :names))
    RETURNING p.import_id
""")
# Rows that changed nothing have no record: an import that was cut off keeps them by their name.
_IMPORT_ROWS = text("""
    DELETE FROM whence.import_rows
    WHERE record_id IS NULL AND :names <> '' AND external_id ~* :names
""")
_FILES = text("SELECT DISTINCT digest FROM whence.imports WHERE id = ANY (CAST(:ids AS uuid[]))")


@dataclass(frozen=True)
class Mentions:
    """The parameters that find mentions, the author of the erasure, and the queue of jobs."""

    erasure: UUID
    sets: Sets
    names: str
    """In the form of `names.pattern`."""
    queue: JobQueue

    async def erase(self, session: AsyncSession) -> dict[str, int]:
        """Empty the texts before the rows of `sets` are deleted; returns the count of each table.

        Adds to the sets: `tool_calls`, `model_exchanges`, `turn_contexts`, `schedules`, the jobs
        to `work` and `streams`, and to `files` those of imports whose lines were emptied.  Jobs
        that only have a mention in their saved state go on where they were; one under way continues
        in another attempt.
        """
        ids = [each for name in _OWN for each in self.sets.get(name, ())]
        values: dict[str, Any] = {"ids": ids, "names": self.names, "erased": ERASED}
        messages = await self._rows(session, _MESSAGES, values | {"erasure": str(self.erasure)})
        await search.remove(session, messages=messages)
        # What tells of a message holds its id.
        parameters = values | {"ids": [*ids, *messages]}
        titles = await session.execute(_TITLES, values | {"messages": messages})
        events = await session.execute(_EVENTS, parameters)
        jobs = await self._rows(session, _JOBS, values)
        self.sets["work"] = list(dict.fromkeys([*self.sets.get("work", []), *jobs]))
        self.sets["streams"] = [*self.sets["streams"], *jobs]
        under_way = await session.scalars(_UNDER_WAY, values)
        interrupted = [each for each in under_way if str(each) not in self.sets["work"]]
        work = await session.execute(_WORK, values)
        for each in interrupted:
            await interrupt(session, self.queue, each)
        self.sets["schedules"] = await self._rows(session, _SCHEDULES, values)
        await session.execute(_SCHEDULE_ERRORS, values)
        self.sets["tool_calls"] = await self._rows(session, _TOOL_CALLS, values)
        self.sets["model_exchanges"] = await self._rows(session, _EXCHANGES, values)
        self.sets["turn_contexts"] = await self._rows(
            session, _CONTEXTS, values | {"messages": messages}
        )
        about = {"records": self.sets.get("record", []), "names": self.names, "erased": ERASED}
        imports = await self._rows(session, _PROBLEMS, about)
        rows = await session.execute(_IMPORT_ROWS, {"names": self.names})
        files = await self._rows(session, _FILES, {"ids": imports})
        self.sets["files"] = [*self.sets.get("files", []), *files]
        return {
            "whence.chat_messages": len(messages),
            "whence.chat_sessions": _count(titles),
            "whence.events": _count(events),
            "whence.work": _count(work),
            "whence.import_problems": len(imports),
            "whence.import_rows": _count(rows),
        }

    @staticmethod
    async def _rows(session: AsyncSession, query: Any, values: dict[str, Any]) -> list[str]:
        return [str(each) for each in await session.scalars(query, values)]


def _count(result: Any) -> int:
    return int(result.rowcount)
