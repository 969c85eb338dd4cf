"""The last messages of a conversation, whole turns only."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from whence.chat.transcript.window import window

ROLES = st.lists(st.sampled_from(["user", "assistant", "tool", "notice"]), max_size=40)


def cut(*roles: str, most: int = 4) -> list[str]:
    return list(window(roles, lambda role: role, most))


@given(ROLES, st.integers(min_value=1, max_value=12))
def test_a_window_is_an_end_of_the_conversation_and_cuts_no_turn(
    roles: list[str], most: int
) -> None:
    numbered = list(enumerate(roles))
    shown = window(numbered, lambda message: message[1], most)
    assert list(shown) == numbered[len(numbered) - len(shown) :]
    if "user" in roles:
        assert shown[0][1] == "user"
        assert len(shown) <= most or [role for _, role in shown].count("user") == 1
    else:
        assert not shown or shown[0][1] != "tool" or len(numbered) == len(shown)


def test_an_answer_whose_question_was_cut_off_goes_too() -> None:
    assert cut("user", "assistant", "user", "assistant", "user", most=4) == [
        "user",
        "assistant",
        "user",
    ]


def test_a_turn_longer_than_the_window_stays_whole() -> None:
    assert cut("user", "assistant", "user", *["assistant", "tool"] * 4) == [
        "user",
        *["assistant", "tool"] * 4,
    ]


def test_a_short_conversation_is_all_of_it() -> None:
    assert cut("user", "assistant") == ["user", "assistant"]
    assert cut() == []


def test_ten_messages_are_shown_when_nothing_else_is_said() -> None:
    assert len(window(["user", "assistant"] * 20, lambda role: role)) == 10
