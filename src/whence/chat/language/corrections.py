"""Corrections that name the old value and the new one, and no field: `it's not black, it's grey`.

The field is the one that has the old value now: a text, or an entry of a field of names and values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from whence.chat.language import reading
from whence.chat.language.fields import Change
from whence.chat.language.values import as_value
from whence.chat.offer import Chat, Editable
from whence.chat.record_view import RecordView
from whence.kernel.errors import Invalid

_IT_IS = r"(?:(?:it|that|this|they|these)(?:'?s|'?re| is| are)\s+)"
_FORMS = (
    re.compile(
        rf"\W*{_IT_IS}not\s+(?:an?\s+)?(?P<old>[^,;.?!]{{1,40}}?)\s*[,;.–-]?\s*(?:but\s+)?"
        rf"(?:{_IT_IS}|rather\s+|but\s+)(?:an?\s+)?(?P<new>[^,;.?!]{{1,40}}?)\W*",
        re.I,
    ),
    re.compile(
        rf"\W*{_IT_IS}(?:actually\s+)?(?:an?\s+)?(?P<new>[^,;.?!]{{1,40}}?)\s*,?\s+(?:and\s+)?not\s+"
        r"(?:an?\s+)?(?P<old>[^,;.?!]{1,40}?)\W*",
        re.I,
    ),
)


def corrected_value(text: str, chat: Chat, view: RecordView) -> Change | None:
    """The change of the one field that has the value ruled out; None if none or several have it."""
    for form in _FORMS:
        if (match := form.fullmatch(text.strip())) is not None:
            changes = list(_changes(match["old"], match["new"], text, chat, view))
            if len(changes) == 1:
                return changes[0]
    return None


def _changes(old: str, new: str, text: str, chat: Chat, view: RecordView) -> Iterator[Change]:
    for editable in chat.editable:
        with suppress(Invalid):
            now = getattr(view.record, editable.field, None)
            if editable.by_name:
                yield from _by_name(editable, now or {}, old, new, text, view)
            elif _same(now, old) or (_has_choice(editable, view) and _is(editable, old, view, now)):
                yield Change(editable.field, as_value(editable, new, view), text.strip())


def _by_name(
    editable: Editable, now: dict[str, str], old: str, new: str, text: str, view: RecordView
) -> Iterator[Change]:
    for name, value in now.items():
        if _same(value, old):
            changed = reading.valid(type(view.record), editable.field, {**now, name: new}, new)
            yield Change(editable.field, changed, text.strip())


def _has_choice(editable: Editable, view: RecordView) -> bool:
    return reading.has_choices(view.record, editable.field)


def _is(editable: Editable, words: str, view: RecordView, now: Any) -> bool:
    return now is not None and as_value(editable, words, view) == str(now)


def _same(now: Any, words: str) -> bool:
    return isinstance(now, str) and now.strip().casefold() == words.strip().casefold()
