"""Outside text made harmless for a prompt: it cannot end its fence, and it cannot cite.

What others wrote (listings, documents, tool results, the record itself) is fenced by
`llm.prompts.fenced`, with every marker and every fence of its own taken apart before.
"""

from __future__ import annotations

import re
import unicodedata

_MARKER = re.compile(r"[\[［【〔]\s*(source)\s*[:：]", re.I)
_FENCE = re.compile(r"[<＜‹〈](\s*[/／]?\s*data)", re.I)
_UNSEEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
"""Invisible characters: they would hide a marker from a rule and not from a model."""


def harmless(text: str) -> str:
    """Text with `[source:` as `(source:` and without fences or invisible characters."""
    seen = "".join(
        each
        for each in text
        if " " <= each <= "~" or each in "\n\t" or unicodedata.category(each) not in _UNSEEN
    )
    return _FENCE.sub(r"(\1", _MARKER.sub(r"(\1:", seen))


def one_line(text: str) -> str:
    """Harmless text without line ends, so that it cannot look like another entry."""
    return " ".join(harmless(text).split())
