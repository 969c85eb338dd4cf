"""Outside sources: what packs ask, whether it answers, and how often it was asked.

A pack declares its sources (`Pack.sources`) and counts its requests (`count_requests`); the engine
lists and tests them without knowing what they are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.statements import storable_text
from whence.kernel.clock import now
from whence.kernel.errors import Unavailable, WhenceError
from whence.kernel.services import Services
from whence.tenancy.principal import Principal, require_owner

_DETAIL_LENGTH = 300
_COUNT = text("""
    INSERT INTO whence.source_days AS d (org_id, day, source, requests, failures)
    VALUES (whence.current_org(), :day, :source, :requests, :failures)
    ON CONFLICT (org_id, day, source) DO UPDATE SET requests = d.requests + excluded.requests,
        failures = d.failures + excluded.failures
""")
_STATE = text("""
    INSERT INTO whence.source_states AS s
        (org_id, source, answered_at, failing_since, is_away, error)
    VALUES (whence.current_org(), :source, CASE WHEN CAST(:error AS text) IS NULL THEN :at END,
        CASE WHEN CAST(:error AS text) IS NOT NULL THEN :at END, :is_away, :error)
    ON CONFLICT (org_id, source) DO UPDATE SET
        answered_at = coalesce(excluded.answered_at, s.answered_at),
        failing_since = CASE WHEN excluded.error IS NOT NULL
            THEN coalesce(s.failing_since, excluded.failing_since) END,
        is_away = excluded.is_away, error = excluded.error
""")
_STATES = text(
    "SELECT source, answered_at, failing_since, is_away, error FROM whence.source_states"
)
_DAYS = text("""
    SELECT day, source, requests, failures FROM whence.source_days
    WHERE day >= :since ORDER BY day, source
""")


@dataclass(frozen=True)
class SourceState:
    """Whether a source can be asked at all; found without a request."""

    is_ready: bool
    setting: str | None = None
    """The environment variable that would enable it; None if nothing is missing."""
    note: str = ""
    """What is missing, limited, or not granted."""


@dataclass(frozen=True)
class OutsideSource:
    """One outside system that a pack asks."""

    id: str
    """Its name in counts; unique in the program."""
    title: str
    offers: str
    """What it has, in words: `sold and active listings`."""
    state: SourceState
    test: Callable[[], Awaitable[str]] | None = None
    """Makes one small request and says what came back; raises what any request raises."""


@dataclass(frozen=True)
class SourceLimit:
    """How much of something may still be asked today."""

    title: str
    used: int
    most: int
    setting: str


@dataclass(frozen=True)
class Sources:
    """The outside sources of a pack, and the limits on asking them."""

    listed: Callable[[Services], Sequence[OutsideSource]]
    limits: Callable[[Services, AsyncSession], Awaitable[Sequence[SourceLimit]]] | None = None


@dataclass(frozen=True)
class SourceRequest:
    """One request to a source, for the counts; `error` is None where it answered."""

    source: str
    error: str | None = None
    is_away: bool = False
    """It did not answer, where another error is an answer."""

    @classmethod
    def failed(cls, source: str, error: WhenceError) -> SourceRequest:
        """The request that `error` ended."""
        return cls(source, error.message, isinstance(error, Unavailable))


@dataclass(frozen=True)
class LastAnswer:
    """What a source answered last."""

    source: str
    answered_at: datetime | None
    failing_since: datetime | None
    is_away: bool
    error: str | None


@dataclass(frozen=True)
class SourceDay:
    """The requests of one day (UTC)."""

    day: date
    source: str
    requests: int
    failures: int


async def count_requests(session: AsyncSession, requests: Sequence[SourceRequest]) -> None:
    """Count requests, in the caller's transaction, and keep what each source answered last."""
    at = now()
    # In one order everywhere, so that two runs never wait for one another.
    for source in sorted({each.source for each in requests}):
        made = [each for each in requests if each.source == source]
        failures = [each for each in made if each.error is not None]
        last = failures[-1] if len(failures) == len(made) else SourceRequest(source)
        error = last.error and storable_text(last.error)[:_DETAIL_LENGTH]
        counts = {"requests": len(made), "failures": len(failures)}
        day = at.astimezone(UTC).date()
        await session.execute(_COUNT, {"day": day, "source": source, **counts})
        values = {"source": source, "at": at, "error": error, "is_away": last.is_away}
        await session.execute(_STATE, values)


async def last_answers(session: AsyncSession, who: Principal) -> dict[str, LastAnswer]:
    """What each source answered last, by its id; raises Forbidden except for owners."""
    require_owner(who)
    return {row[0]: LastAnswer(*row) for row in await session.execute(_STATES)}


async def source_days(session: AsyncSession, who: Principal, since: date) -> list[SourceDay]:
    """Requests by day and source; raises Forbidden except for owners."""
    require_owner(who)
    return [SourceDay(*row) for row in await session.execute(_DAYS, {"since": since})]
