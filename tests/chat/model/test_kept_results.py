"""What a message keeps of the results of its tools is bounded, and says where it was cut."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import RootModel

from whence.chat.model.kept_results import MESSAGE_LIMIT, RESULT_LIMIT, kept, within_message
from whence.chat.transcript.views import CalledTool

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2_000),
    lambda inner: (
        st.lists(inner, max_size=40) | st.dictionaries(st.text(max_size=40), inner, max_size=40)
    ),
    max_leaves=60,
)


class Result(RootModel[Any]):
    """Any result of a tool."""


def test_a_small_result_is_kept_whole() -> None:
    value = {"items": [{"title": "Lamp", "price": 40}], "total": 1}

    assert kept(Result(value)) == (value, False)


def test_a_long_list_keeps_its_beginning() -> None:
    value, is_cut = kept(Result({"items": [{"title": f"Lamp {n}"} for n in range(2_000)]}))

    assert is_cut
    assert isinstance(value, dict)
    assert value["items"][0] == {"title": "Lamp 0"}


def test_a_result_that_cannot_be_shortened_enough_is_left_out() -> None:
    wide: Any = {"a": "x" * 90}
    for _ in range(8):
        wide = {"one": wide, "two": wide}

    assert kept(Result(wide)) == (None, True)


@given(plain)
def test_whatever_a_tool_answers_the_kept_part_is_within_the_limit(value: Any) -> None:
    part, is_cut = kept(Result(value))

    assert len(json.dumps(part, ensure_ascii=False, separators=(",", ":")).encode()) <= RESULT_LIMIT
    assert is_cut or part == value


def test_the_results_of_one_message_are_bounded_together() -> None:
    calls = [
        CalledTool(name="find", arguments={}, status="ok", result="x" * 7_900) for _ in range(20)
    ]

    bounded = within_message(calls)

    assert sum(len(call.result or "") for call in bounded) <= MESSAGE_LIMIT
    assert [call.result_cut for call in bounded] == [False] * 8 + [True] * 12
