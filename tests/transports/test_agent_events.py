"""Events of a page's stream, made from what is kept."""

from __future__ import annotations

from uuid import UUID

from whence.chat.transcript.views import MessageAnswer
from whence.kernel.clock import now
from whence.transports.routes.streams.agent_events import ToolCallResult, end_events


def test_a_proposal_is_summed_up_in_the_words_for_its_fields() -> None:
    changes = [
        {"field": "defaultPrice", "before": 150.0, "after": 40.0},
        {"field": "mpn", "before": None, "after": "K2"},
    ]
    message = MessageAnswer(
        id=UUID(int=1),
        session_id=UUID(int=2),
        ordinal=2,
        role="assistant",
        content="I propose it.",
        client_message_id=None,
        turn_id=UUID(int=3),
        reply_to=UUID(int=4),
        superseded_by=None,
        status="complete",
        intent="action",
        method="rules:chat@1",
        citations=[],
        tool_calls=[],
        actions=[{"id": "a", "changes": changes, "called": {"defaultPrice": "asking price"}}],
        meta={},
        created_at=now(),
        completed_at=now(),
    )
    messages = [each for each in end_events(message) if isinstance(each, ToolCallResult)]
    assert [each.summary for each in messages] == ["proposes to change the asking price, the mpn"]
