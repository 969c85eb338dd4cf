"""What was spent by day, and how much of each limit is left."""

from __future__ import annotations

from datetime import UTC, timedelta

from whence.app.platform import Platform
from whence.app.source_settings import SourceDayView, requests_by_day, source_settings
from whence.kernel.clock import now
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal, require_owner
from whence.work import spending

CHAT_DAY = "All conversations of today (UTC)"


class SpentView(Wire):
    """Model use of one day (UTC), of one model, for one purpose."""

    day: str
    model: str
    used_for: str
    """`items/research` for a flow, `chat`, `test`, or the type of a job."""
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float
    unpriced: int
    """Uses whose price is not known; they are missing in `usd`."""
    failed: int
    """Uses that rules answered in place of the model."""


class LimitLeft(Wire):
    """A limit, and how much of it is used."""

    title: str
    unit: str
    used: float | None
    """Null for a limit of each run or conversation."""
    most: float
    variable: str


class Spending(Wire):
    """Spending from one day to another, both included (UTC)."""

    first_day: str
    last_day: str
    kept_days: float
    """How long the log of calls is kept."""
    models: list[SpentView]
    sources: list[SourceDayView]
    limits: list[LimitLeft]


async def spending_of(platform: Platform, who: Principal, days: int) -> Spending:
    """The spending of the last days; raises Forbidden except for owners."""
    require_owner(who)
    settings = platform.settings
    today = now().astimezone(UTC).date()
    first = today - timedelta(days=days - 1)
    async with platform.unit(who) as session:
        rows = await spending.spent(session, who, first)
        tokens, usd = await spending.chat_today(session, who, today)
    sources = await source_settings(platform, who)
    limits = [
        (CHAT_DAY, "USD", usd, settings.chat_day_usd, "WHENCE_CHAT_DAY_USD"),
        (CHAT_DAY, "tokens", float(tokens), settings.chat_day_tokens, "WHENCE_CHAT_DAY_TOKENS"),
        *(
            (f"{limit.title} today (UTC)", "searches", limit.used, limit.most, limit.setting)
            for limit in sources.limits
        ),
        ("Each run of research", "USD", None, settings.budget_usd, "WHENCE_BUDGET_USD"),
        ("Each run of research", "tokens", None, settings.budget_tokens, "WHENCE_BUDGET_TOKENS"),
        ("Each run of research", "calls", None, settings.budget_calls, "WHENCE_BUDGET_CALLS"),
        ("Each conversation", "USD", None, settings.chat_usd, "WHENCE_CHAT_USD"),
        ("Each conversation", "tokens", None, settings.chat_tokens, "WHENCE_CHAT_TOKENS"),
    ]
    return Spending(
        first_day=first.isoformat(),
        last_day=today.isoformat(),
        kept_days=settings.call_days,
        models=[SpentView.model_validate(vars(row) | {"day": row.day.isoformat()}) for row in rows],
        sources=await requests_by_day(platform, who, days),
        limits=[
            LimitLeft(title=title, unit=unit, used=used, most=most, variable=variable)
            for title, unit, used, most, variable in limits
        ],
    )
