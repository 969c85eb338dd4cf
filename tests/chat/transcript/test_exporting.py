"""What was said is data in an exported file: nothing in it is a sign of Markdown's."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from whence.chat.transcript.export import inert

_ACTIVE = re.compile(r"(?<!\\)(?:\\\\)*[<>\[\]!`]")
"""A sign with an even number of backslashes before it, which Markdown does not read as a letter."""


@given(st.text("\\<>[]!`(a"))
@example(r"\<img src=//example.com/p.png>")
@example(r"\[a\](//example.com)")
def test_no_sign_is_active_also_behind_a_backslash_of_its_own(text: str) -> None:
    written = inert(text)
    assert _ACTIVE.search(written) is None
    assert re.sub(r"\\(.)", r"\1", written) == text


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("see https://evil.example/?q=40.", "see `https://evil.example/?q=40.`"),
        ("[a](HTTP://evil.example)", r"\[a\](`HTTP://evil.example)`"),
        (
            "www.evil.example, a@b.example+c@d.example",
            "`www.evil.example,` `a@b.example+c@d.example`",
        ),
        ("`https://a.example``www.b.example", r"\``https://a.example`\`\``www.b.example`"),
        ("\\https://evil.example", r"\\`https://evil.example`"),
    ],
)
def test_an_address_is_code_as_many_readers_make_a_link_of_it_by_themselves(
    content: str, written: str
) -> None:
    assert inert(content) == written
    text = MarkdownIt().render(written)
    assert re.sub(r"</?(?:p|code)>", "", html.unescape(text)).strip() == content


def test_no_sign_steers_the_terminal_that_shows_the_file_or_turns_its_text() -> None:
    assert inert("a\x1b]8;;x\x07b\u202egnp.exe") == r"a\]8;;xbgnp.exe"
