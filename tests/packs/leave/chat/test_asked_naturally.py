"""Questions as people put them, each answered on what it is about."""

from __future__ import annotations

import pytest

from whence.chat.citing.composing import topics_of
from whence.packs.leave.chat.offer import CHAT
from whence.sdk.chat import Intent, intent_of


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        ("can they fire me for taking it", ["retaliation"]),
        ("Could I lose my job over this?", ["retaliation"]),
        ("what did I enter", ["facts"]),
        ("Why is FMLA not available?", ["eligibility"]),
        ("I have been there exactly 12 months, is that enough?", ["eligibility"]),
        ("does the earlier leave in February count?", ["entitlement"]),
        ("how many hours are left", ["entitlement"]),
        ("how many hours do I need", ["rules"]),
        ("Could my manager ask what illness it is?", ["certification"]),
        ("Am I eligible and how much leave do I get?", ["eligibility", "entitlement"]),
        ("do both laws run at the same time", ["together"]),
    ],
)
def test_a_question_is_answered_on_what_it_is_about(question: str, topics: list[str]) -> None:
    assert [topic.name for topic in topics_of(CHAT, question)] == topics
    assert intent_of(question, CHAT) is Intent.QUESTION
