"""Bodies and pauses: pure rules."""

from __future__ import annotations

import gzip
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from whence.kernel.fetch import BodyTooLarge
from whence.kernel.fetch.body import Inflater, parse_json

_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
_JSON = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


def floats(value: JsonValue) -> list[float]:
    match value:
        case list():
            return [one for item in value for one in floats(item)]
        case dict():
            return [one for item in value.values() for one in floats(item)]
        case float():
            return [value]
        case _:
            return []


@settings(max_examples=60)
@given(_JSON)
def test_no_impossible_number_comes_out_of_json(value):
    read = parse_json(json.dumps(value).encode(), "host")
    assert all(math.isfinite(number) for number in floats(read))


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e9999", "9" * 5000])
def test_an_impossible_number_stays_text_and_its_neighbours_stay_numbers(text):
    assert parse_json(f'{{"bad": {text}, "good": 12.5}}'.encode(), "host") == {
        "bad": text,
        "good": 12.5,
    }


@settings(max_examples=60)
@given(st.binary(max_size=3000), st.integers(1, 3000), st.integers(1, 400))
def test_unpacking_gives_the_whole_body_or_refuses_it(body, limit, step):
    packed = gzip.compress(body)
    inflater = Inflater("gzip", limit, "host")
    parts = [packed[at : at + step] for at in range(0, len(packed), step)]
    if len(body) > limit:
        with pytest.raises(BodyTooLarge):
            [inflater.feed(part) for part in parts]
    else:
        assert b"".join(inflater.feed(part) for part in parts) == body
        inflater.finish()
