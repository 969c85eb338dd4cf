"""The photographs that a row names: web addresses, and files beside the imported file.

A local photograph becomes an absolute `file:` URL, so that whoever stores the item can copy it.
Only what lies in the folder of the imported file (links followed) is allowed: a file that somebody
else wrote must not be able to name any picture on the disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from whence.packs.resale.records import MAX_PHOTOS, Media
from whence.sdk.tabular import BadValue, is_blank, line_of_text, link, shorten
from whence.sdk.text import clean

MAX_NAMES = 100
"""Names looked at in a row; each costs a look at the disk."""

IMAGE_SUFFIXES = {
    ".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".avif",
}  # fmt: skip

_AFTER_IMAGE = re.compile(
    r"(\.(?:jpe?g|png|webp|gif|bmp|tiff?|hei[cf]|avif))[\s,]+(?=\S)", re.IGNORECASE
)
_BEFORE_URL = re.compile(r"(?<![\s,])[\s,]++(?=https?://)", re.IGNORECASE)
"""Possessive and anchored to the start of a run: long runs of commas would cost quadratic time."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def split(value: object) -> list[str]:
    """The photographs in a cell, which may hold several between `|`, `;`, commas or spaces.

    A comma or space only separates after an image's suffix or before `http`, since file names
    hold both. Lists and `{"url": ...}` objects of JSON are accepted.
    """
    if isinstance(value, list):
        return [photo for inner in cast(list[object], value) for photo in split(inner)]
    if isinstance(value, dict):
        parts = cast(dict[str, object], value)
        return split(next((parts[key] for key in ("url", "path", "src") if key in parts), None))
    if is_blank(value):
        return []
    written = value if isinstance(value, str) else line_of_text(value)
    parts_of = re.split(r"[|;\r\n]+", _BEFORE_URL.sub("|", _AFTER_IMAGE.sub(r"\1|", written)))
    return [photo for part in parts_of if (photo := clean(part))]


def find(names: Sequence[str], folder: Path) -> tuple[list[Media], list[str]]:
    """Media for the photographs that are there, and why the others are left out."""
    media: dict[str, Media] = {}
    problems: list[str] = []
    if len(names) > MAX_NAMES:
        problems.append(f"Only the first {MAX_NAMES} of {len(names)} photographs are looked at.")
    for name in names[:MAX_NAMES]:
        try:
            url = _url(name, folder)
        except BadValue as problem:
            problems.append(f"Photograph {shorten(name)!r} is left out: {problem.message}")
            continue
        if len(media) == MAX_PHOTOS and url not in media:
            problems.append(f"Only the first {MAX_PHOTOS} photographs are kept.")
            break
        media[url] = Media(url=url)
    return list(media.values()), problems


def _url(name: str, folder: Path) -> str:
    if name.lower().startswith(("http://", "https://")):
        return link(name)
    local = name.replace("\\", "/")
    if _SCHEME.match(local) or local.startswith(("/", "~")):
        raise BadValue("only http(s) links and paths relative to the file's folder are read.")
    base = folder.resolve()
    try:
        path = (base / local).resolve()
        if not path.is_relative_to(base):
            raise BadValue("it lies outside of the file's folder.")
        if path.suffix.lower() not in IMAGE_SUFFIXES:
            raise BadValue("it is not an image by its name.")
        if not path.is_file():
            raise BadValue("there is no such file.")
    except (OSError, ValueError, RuntimeError) as error:
        raise BadValue("the path cannot be read.") from error
    return path.as_uri()
