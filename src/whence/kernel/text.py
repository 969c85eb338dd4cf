"""Text rules shared by all parts: how outside strings are cleaned, and names on the wire."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
MOST_QUOTED = 80
"""Characters of a person's text to repeat in a message: enough to recognise it."""
_UNDECOMPOSED = {
    "ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ŋ": "n", "æ": "ae", "œ": "oe",
    "þ": "th",
}  # fmt: skip
_CAPITALS = {letter.upper(): plain.upper() for letter, plain in _UNDECOMPOSED.items()}
PLAIN_LETTERS = str.maketrans(_UNDECOMPOSED | _CAPITALS | {"ß": "ss", "ẞ": "SS", "ı": "i"})
"""Letters that Unicode does not decompose, for `str.translate`: `Łódź` is searched as `lodz`."""
_UNSEEN = re.compile("[\x80-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_SPACE = re.compile(r"[ \t\r\f\v]+")


def clean(text: str) -> str:
    """Outside text made storable: NFC, no control character (PostgreSQL refuses NUL), one space."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return _SPACE.sub(" ", _CONTROL.sub("", unicodedata.normalize("NFC", text))).strip()


def one_line(text: str) -> str:
    """Clean text on one line, as a file name is shown and kept: no line break, no control
    character, none that turns the direction of what follows."""
    return clean(_UNSEEN.sub("", " ".join(clean(text).split())))


def without_controls(text: str) -> str:
    """The text without control characters and without those that reverse the reading order."""
    if text.isprintable():
        return text
    return "".join(
        each
        for each in text
        if each in "\n\t" or (unicodedata.category(each) != "Cc" and each not in _TURNING)
    )


def quoted(words: str, most: int = MOST_QUOTED) -> str:
    """A person's text in quotes, for use in a message; long text is cut after its beginning."""
    line = " ".join(words.split())
    return f"“{line}”" if len(line) <= most else f"“{line[:most].rstrip()} …”"


def camel(name: str) -> str:
    """`snake_case` to `camelCase`, the spelling of every name on the wire."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def digest(value: Mapping[str, object] | str) -> str:
    """SHA-256 (hex) of a text, or of a mapping in canonical JSON (sorted keys, no spaces)."""
    if not isinstance(value, str):
        value = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(value.encode()).hexdigest()
