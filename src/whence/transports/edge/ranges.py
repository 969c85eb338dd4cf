"""A part of a file by the `Range` header (RFC 9110, section 14): one range, in bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from whence.kernel.errors import Invalid

_RANGE = re.compile(r"bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.IGNORECASE)


class RangeNotSatisfiable(Invalid):
    """The file ends before the requested part."""


@dataclass(frozen=True)
class Span:
    """Bytes from `start` up to but not including `end`."""

    start: int
    end: int

    def of(self, size: int) -> str:
        """The span in the form of `Content-Range`."""
        return f"bytes {self.start}-{self.end - 1}/{size}"


def span_asked(range_header: str | None, if_range: str | None, etag: str, size: int) -> Span | None:
    """The part a request asks for; None to send the whole file.

    That is the case without a range, with several ranges or a range in other units (RFC 9110 lets a
    server ignore them), and if the client holds a part of another version.  Raises
    RangeNotSatisfiable.
    """
    if range_header is None or (if_range is not None and if_range.strip() != etag):
        return None
    match = _RANGE.fullmatch(range_header.strip())
    if match is None or match[1] == match[2] == "":
        return None
    if match[1] == "":
        start, end = max(size - int(match[2]), 0), size
    else:
        start = int(match[1])
        last = int(match[2]) if match[2] else size - 1
        if last < start and match[2]:
            return None
        end = min(last + 1, size)
    if start >= end:
        raise RangeNotSatisfiable
    return Span(start, end)


def is_known(if_none_match: str | None, etag: str) -> bool:
    """Whether the client holds this version already (`If-None-Match`)."""
    if if_none_match is None:
        return False
    tags = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in tags or "*" in tags
