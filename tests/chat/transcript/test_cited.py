"""References are what others wrote: they steer no terminal, and open nothing but web pages."""

from __future__ import annotations

import pytest

from whence.chat.citing.sources import Source
from whence.chat.transcript.views import reference_to


def test_a_reference_holds_no_sign_that_steers_where_it_is_shown() -> None:
    statement = reference_to(
        1, Source("evidence", "a\x1b]0;b\x07\u202ec", "\x1b[2Jsold\x9b for\u2066 40")
    )
    assert (statement.title, statement.snippet) == ("a]0;bc", "[2Jsold for 40")


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://example.com/a?b=1&c=(2)", True),
        ("javascript:alert(1)", False),
        ("data:text/html,a", False),
        ("https://example.com/\x1b[2J", False),
        ("file:///a", False),
    ],
)
def test_a_reference_opens_nothing_but_an_address_on_the_web(url: str, is_link: bool) -> None:
    assert reference_to(1, Source("evidence", "a", "b", url=url)).url == (url if is_link else None)
