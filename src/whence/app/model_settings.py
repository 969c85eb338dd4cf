"""The models as the settings show them: what each does, whether it can be asked, and a test call.

A key is shown as present or missing, never its value.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

from sqlalchemy import text

from whence.app.platform import Platform
from whence.kernel.errors import Invalid, Misconfigured
from whence.kernel.settings import Settings
from whence.kernel.wire import Wire
from whence.llm.models import KEY_VARIABLE, ChatModel, models_from
from whence.llm.prices import Prices, load_prices
from whence.llm.probe import NODE, ProbeResult, probe_model
from whence.tenancy.owner_acts import record_test
from whence.tenancy.principal import Principal, require_owner
from whence.work.ledger import SingleCalls

ModelRole = Literal["text", "vision"]
_LAST_TESTS = text("""
    SELECT DISTINCT ON (model) model, at, outcome = 'ok', latency_ms FROM whence.model_calls
    WHERE org_id = whence.current_org() AND run_id IS NULL AND node = :node
    ORDER BY model, at DESC
""")


class NoModel(Invalid):
    """No model is configured for this; set its variable and restart the server."""


class ModelUseView(Wire):
    """Something that the model does, and what happens without it."""

    pack: str | None
    """Null: for every pack."""
    title: str
    without: str


class PriceView(Wire):
    """US dollars for a million tokens, as of a day."""

    tokens_in: float
    tokens_out: float
    as_of: str


class LastTest(Wire):
    """When this organization last tested the model, and whether it answered."""

    at: datetime
    answered: bool
    seconds: float


class ModelView(Wire):
    """One model, or the place of one that is not configured."""

    role: ModelRole
    variable: str
    """The environment variable that names the model."""
    model: str | None
    """`provider:name`."""
    server: str | None
    """Host and port, where not the provider's own."""
    key_variable: str | None
    """The environment variable of the key; null where the provider needs none."""
    has_key: bool
    problem: str | None
    """Why it cannot be asked."""
    price: PriceView | None
    """Null where the price is not known, so that no budget in money limits it."""
    uses: list[ModelUseView]
    last_test: LastTest | None


class LimitView(Wire):
    """A limit in force, and the variable that sets it."""

    title: str
    value: float
    unit: str
    variable: str


class ModelSettings(Wire):
    """All models, and the limits on calling them."""

    models: list[ModelView]
    limits: list[LimitView]


class ModelTestView(Wire):
    """The result of a test call."""

    result: ProbeResult
    explanation: str
    detail: str | None
    seconds: float
    tokens_in: int
    tokens_out: int
    is_exact: bool
    usd: float | None


async def model_settings(platform: Platform, who: Principal) -> ModelSettings:
    """The models and their limits; raises Forbidden except for owners."""
    require_owner(who)
    async with platform.unit(who) as session:
        rows = await session.execute(_LAST_TESTS, {"node": NODE})
        tests = {
            model: LastTest(at=at, answered=answered, seconds=latency / 1000)
            for model, at, answered, latency in rows
        }
    views = [_view(platform, role, tests) for role in ("text", "vision")]
    return ModelSettings(models=views, limits=_limits(platform.settings))


async def call_model(platform: Platform, who: Principal, role: ModelRole) -> ModelTestView:
    """Ask a model once; the call is in the audit log and in the call log.

    Raises Forbidden except for owners, NoModel, Misconfigured (no key) and TooManyTests.
    """
    require_owner(who)
    settings = platform.settings
    models = models_from(settings)
    model = models.text if role == "text" else models.vision
    if model is None:
        raise NoModel(f"No model is configured; set {_variable(role)} and restart the server.")
    prices = load_prices(settings.home / "prices.toml")
    async with platform.unit(who) as session:
        await record_test(session, who, "model", {"model": model.label})
    probe = await probe_model(model, prices, SingleCalls(platform.db, who.org_id, NODE))
    usd = float(probe.usd) if probe.usd is not None else None
    return ModelTestView.model_validate(asdict(probe) | {"usd": usd})


def _view(platform: Platform, role: ModelRole, tests: dict[str, LastTest]) -> ModelView:
    settings = platform.settings
    label = settings.model if role == "text" else settings.vision_model
    provider = (label or "").partition(":")[0]
    key = next((name for each, name in KEY_VARIABLE.items() if each == provider), None)
    model, problem = _configured(settings, role)
    own_server = model.choice.base_url if model else None
    return ModelView(
        role=role,
        variable=_variable(role),
        model=label or None,
        server=_server(own_server) if own_server else None,
        key_variable=key,
        has_key=bool(key and os.environ.get(key, "").strip()),
        problem=problem,
        price=_price(settings, label) if label else None,
        uses=_uses(platform, role),
        last_test=tests.get(label or ""),
    )


def _configured(settings: Settings, role: ModelRole) -> tuple[ChatModel | None, str | None]:
    if not settings.budget_calls:
        return None, "WHENCE_BUDGET_CALLS is 0, so no model is asked."
    try:
        models = models_from(settings)
    except Misconfigured as error:
        return None, error.message if _variable(role) in error.message else None
    return (models.text if role == "text" else models.vision), None


def _price(settings: Settings, label: str) -> PriceView | None:
    try:
        prices: Prices = load_prices(settings.home / "prices.toml")
    except Misconfigured:
        return None
    each = prices.cost(label, 1_000_000, 0), prices.cost(label, 0, 1_000_000)
    if each[0] is None or each[1] is None:
        return None
    return PriceView(
        tokens_in=float(each[0]), tokens_out=float(each[1]), as_of=prices.as_of.isoformat()
    )


def _uses(platform: Platform, role: ModelRole) -> list[ModelUseView]:
    chat = ModelUseView(
        pack=None,
        title="Answers in conversations",
        without="rules answer questions about records and their research, and propose changes",
    )
    of_packs = [
        ModelUseView(pack=pack.title, title=use.title, without=use.without)
        for pack in platform.packs
        for use in pack.model_uses
        if use.is_vision == (role == "vision")
    ]
    return [*([chat] if role == "text" else []), *of_packs]


def _limits(settings: Settings) -> list[LimitView]:
    rows: Sequence[tuple[str, float, str, str]] = (
        ("Longest wait for an answer", settings.model_timeout, "s", "MODEL_TIMEOUT"),
        ("Wait for a chat's first words", settings.chat_first_token_seconds, "s",
         "CHAT_FIRST_TOKEN_SECONDS"),
        ("Longest answer", settings.model_answer_characters, "characters",
         "MODEL_ANSWER_CHARACTERS"),
        ("Calls of one run", settings.budget_calls, "", "BUDGET_CALLS"),
        ("Tokens of one run", settings.budget_tokens, "", "BUDGET_TOKENS"),
        ("Money of one run", settings.budget_usd, "USD", "BUDGET_USD"),
        ("Working time of one run", settings.budget_seconds, "s", "BUDGET_SECONDS"),
    )  # fmt: skip
    return [
        LimitView(title=title, value=value, unit=unit, variable=f"WHENCE_{variable}")
        for title, value, unit, variable in rows
    ]


def _variable(role: ModelRole) -> str:
    return "WHENCE_MODEL" if role == "text" else "WHENCE_VISION_MODEL"


def _server(url: str) -> str:
    """Host and port: an address may carry a password."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
