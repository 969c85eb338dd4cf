"""Makes outside text safe for a prompt: it cannot close its fence, and it cannot cite.

Text written by others (listings, documents, tool results, the record itself) is fenced by
`llm.prompts.fenced`; markers and fences inside it are broken up first.
"""

from __future__ import annotations

import re
import unicodedata

_MARKER = re.compile(r"[\[［【〔]\s*(source)\s*[:：]", re.I)
_FENCE = re.compile(r"[<＜‹〈](\s*[/／]?\s*data)", re.I)
_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
"""Invisible characters: with them a marker would escape the pattern, but not the model."""


def harmless(text: str) -> str:
    """Text with `[source:` as `(source:` and without fences or invisible characters."""
    visible = "".join(
        each
        for each in text
        if " " <= each <= "~" or each in "\n\t" or unicodedata.category(each) not in _INVISIBLE
    )
    return _FENCE.sub(r"(\1", _MARKER.sub(r"(\1:", visible))


def one_line(text: str) -> str:
    """Harmless text on one line, so that it cannot look like another entry."""
    return " ".join(harmless(text).split())
