"""What was said is data in an exported file: nothing in it is a sign of Markdown's."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from whence.chat.transcript.exporting import inert

_ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*[<>\[\]!`]")
"""A sign with an even number of backslashes before it, which Markdown does not read as a letter."""


@given(st.text("\\<>[]!`(a"))
@example(r"\<img src=//example.com/p.png>")
@example(r"\[a\](https://example.com)")
def test_no_sign_is_active_also_behind_a_backslash_of_its_own(text: str) -> None:
    written = inert(text)
    assert _ACTIVE.search(written) is None
    assert re.sub(r"\\(.)", r"\1", written) == text
