"""Reading JSON from an answer: strictly first; repaired, never closed, as a last net."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whence.llm.repair import Unreadable, read_object, repaired_object


@pytest.mark.parametrize(
    "text",
    [
        '{"brand": "Canon"}',
        '```json\n{"brand": "Canon"}\n```',
        'Here it is:\n{"brand": "Canon"}\nAnything else?',
        '\ufeff{"brand": "Canon"}',
    ],
)
def test_a_sound_object_is_read_as_it_is(text):
    assert read_object(text) == {"brand": "Canon"}


def test_a_line_break_inside_a_string_changes_nothing():
    assert read_object('{"note": "two\nlines"}') == {"note": "two\nlines"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, "b": [2, 3,],}', {"a": 1, "b": [2, 3]}),
        ("{'a': 'x y', 'b': 2}", {"a": "x y", "b": 2}),
        ('{"a": 1.50 "b": "x"}', {"a": 1.5, "b": "x"}),
        ('{a: 1, b: "x"}', {"a": 1, "b": "x"}),
    ],
)
def test_punctuation_is_repaired_only_where_that_is_asked_for(text, value):
    with pytest.raises(Unreadable):
        read_object(text)
    assert repaired_object(text) == value


@pytest.mark.parametrize(
    "text",
    [
        '{"brand": "Canon", "model": "EOS R6 Mark',
        '{"brand": "Canon", "prices": [900, 91',
        '{"brand": "Canon",',
    ],
)
def test_an_object_that_was_cut_off_is_not_closed_for_the_model(text):
    with pytest.raises(Unreadable):
        read_object(text)
    with pytest.raises(Unreadable, match="ends before its last bracket"):
        repaired_object(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no object here",
        "[1, 2]",
        '{"a": 1} or rather {"a": 2}',
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"a": 1e9999}',
        '{"a": -Infinity}',
        '{"a": ' * 5000,
    ],
)
def test_no_object_or_an_ambiguous_one_is_refused(text):
    with pytest.raises(Unreadable):
        read_object(text)


_NAME = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
_LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(-1e6, 1e6).filter(lambda x: "e" not in repr(x))
    | st.text("abcXYZ 0123456789.,:;-_/'()\"\\\n%é", max_size=20)
)
_VALUE = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAME, inner, max_size=3)
)
_OBJECTS = st.dictionaries(_NAME, _VALUE, min_size=1, max_size=4)


@settings(max_examples=100)
@given(_OBJECTS, st.data())
def test_cut_anywhere_an_object_is_not_read(value, data):
    text = json.dumps(value)
    at = data.draw(st.integers(1, len(text) - 1))
    with pytest.raises(Unreadable):
        read_object(text[:at])
