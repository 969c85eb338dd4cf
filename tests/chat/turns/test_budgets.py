"""What conversations may cost: refused in words once it is used up, and answered by rules."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any
from uuid import UUID

import psycopg
import pytest

from chat.slow_model import SlowModel
from chat.turns.conftest import Desk, desk_of
from whence.app import build
from whence.app.platform import Platform
from whence.chat.model.ledger import (
    Allowance,
    AnswerTooCostly,
    ConversationTooCostly,
    DayTooCostly,
    NeverAffordable,
    TurnLedger,
)
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.llm import Budget
from whence.llm.budget import CallRecord, Spend

pytestmark = pytest.mark.anyio
PLENTY = Budget(100, 10**9, Decimal(10**6), 10**6)
ASKED = Spend(1, 600, Decimal("0.6"))


def ledger(platform: Platform, conversation: UUID | None = None, **limits: Any) -> TurnLedger:
    most = {"tokens": 10**9, "usd": 1e6, "day_tokens": 10**9, "day_usd": 1e6} | limits
    owner = platform.owner
    return TurnLedger(
        platform.db, owner.org_id, conversation or new_id(), PLENTY, Allowance(**most)
    )


def used(tokens: int, usd: str) -> CallRecord:
    return CallRecord(
        *("chat.answer", "openai:x", "1", "ok", None, None),
        calls=1,
        tokens_in=tokens,
        tokens_out=0,
        exact=True,
        usd=Decimal(usd),
        latency_ms=1,
        reserved=ASKED,
    )


def spent(database_url: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database_url) as admin:
        rows = "SELECT split_part(scope, ' ', 1), tokens, usd FROM whence.chat_spending ORDER BY 1"
        return admin.execute(rows).fetchall()


@pytest.mark.parametrize(
    ("limits", "refusal", "way_out"),
    [
        ({"tokens": 1_199}, ConversationTooCostly, "start a new one"),
        ({"usd": 1.19}, ConversationTooCostly, "start a new one"),
        ({"day_tokens": 1_199}, DayTooCostly, "midnight UTC"),
        ({"day_usd": 1.19}, DayTooCostly, "midnight UTC"),
    ],
)
async def test_a_request_that_does_not_fit_any_more_is_refused_and_holds_nothing(
    platform: Platform, database_url: str, limits: Any, refusal: type[Exception], way_out: str
) -> None:
    book = ledger(platform, **limits)
    await book.reserve(ASKED)
    with pytest.raises(refusal, match=way_out):
        await book.reserve(ASKED)
    assert isinstance(book.refusal, refusal)
    assert spent(database_url) == [("day", 600, 0.6), ("session", 600, 0.6)]


@pytest.mark.parametrize("limit", ["tokens", "usd", "day_tokens", "day_usd"])
async def test_what_fits_no_conversation_at_all_promises_no_way_out_that_is_none(
    platform: Platform, database_url: str, limit: str
) -> None:
    with pytest.raises(NeverAffordable):
        await ledger(platform, **{limit: 0}).reserve(ASKED)
    assert spent(database_url) == []


async def test_what_was_held_back_is_settled_by_what_was_used(
    platform: Platform, database_url: str
) -> None:
    book = ledger(platform, tokens=1_000)
    await book.reserve(ASKED)
    await book.record(used(100, "0.1"))
    assert spent(database_url) == [
        ("day", 100, pytest.approx(0.1)),
        ("session", 100, pytest.approx(0.1)),
    ]
    await book.reserve(ASKED)


async def test_two_that_ask_at_once_hold_no_more_than_fits(platform: Platform) -> None:
    session = new_id()
    async with build.platform(platform.settings) as other:
        books = [
            ledger(other_platform, session, tokens=1_500)
            for other_platform in (platform, other) * 4
        ]
        result = await asyncio.gather(*(b.reserve(ASKED) for b in books), return_exceptions=True)
    assert result.count(None) == 2
    assert sum(isinstance(each, ConversationTooCostly) for each in result) == 6


async def test_the_day_counts_all_conversations_and_each_only_its_own(platform: Platform) -> None:
    await ledger(platform, tokens=1_000, day_tokens=1_500).reserve(ASKED)
    await ledger(platform, tokens=1_000, day_tokens=1_500).reserve(ASKED)
    with pytest.raises(DayTooCostly):
        await ledger(platform, tokens=1_000, day_tokens=1_500).reserve(ASKED)


async def test_one_answer_has_its_own_limit(platform: Platform, database_url: str) -> None:
    book = ledger(platform)
    book.budget = Budget(1, 10**9, Decimal(100), 100)
    await book.reserve(ASKED)
    with pytest.raises(AnswerTooCostly):
        await book.reserve(ASKED)
    assert spent(database_url)[0] == ("day", 600, 0.6)


@pytest.mark.parametrize(
    ("limit", "error", "words"),
    [
        ("chat_tokens", "NeverAffordable", "ask the operator"),
        ("chat_day_tokens", "NeverAffordable", "ask the operator"),
        ("budget_tokens", "AnswerTooCostly", "This answer reached its cost limit"),
    ],
)
async def test_the_person_is_told_and_answered_by_rules(
    settings: Settings, model: SlowModel, limit: str, error: str, words: str
) -> None:
    changes = {"model": "ollama:slow", "model_base_url": model.base, limit: 100}
    async with build.platform(settings.model_copy(update=changes)) as platform:
        desk: Desk = await desk_of(platform, platform.owner)
        answer = await desk.say("How long is it?")
        assert (answer.status, answer.method) == ("complete", "rules:chat@1")
        assert "researched" in answer.content
        assert words in answer.meta["notice"]["text"]
        assert answer.meta["notice"]["retry"] is False
        [payloads] = [each.payload for each in await desk.events() if each.type == "error"]
        assert (payloads["error"], payloads["message"]) == (error, answer.meta["notice"]["text"])
    assert model.requests == []


async def test_an_answer_is_counted_in_its_conversation_and_in_the_day(
    slow: Desk, model: SlowModel, database_url: str
) -> None:
    begun = await slow.send("How long is it?")
    model.say("It is short.")
    model.end()
    await slow.platform.turns.wait_for_turn(begun.turn_id)
    assert spent(database_url) == [("day", 20, 0.0), ("session", 20, 0.0)]
