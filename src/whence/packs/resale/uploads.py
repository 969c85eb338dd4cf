"""Photographs to import: which are accepted, and how an item lists one."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from whence.sdk.errors import Invalid
from whence.sdk.records import Attachment
from whence.sdk.values import new_id

from .perception.images import MAX_BYTES
from .perception.reader import checked_media_type
from .records import MAX_PHOTOS, Media

MAX_PHOTO_BYTES = MAX_BYTES
"""Every stored photograph must be readable."""
ENDINGS = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
}


@dataclass(frozen=True)
class PhotographOnDisk:
    """A photograph that could be opened: the SHA-256 of its content, and its media type."""

    digest: bytes
    media_type: str


class Unkept(Invalid):
    """The photograph cannot be read; check that the file exists and that you may read it."""


def read_photograph(source: Path) -> bytes:
    """A file on disk, not yet known to be a photograph.  Raises Unkept."""
    try:
        with source.open("rb") as file:
            content = file.read(MAX_PHOTO_BYTES + 1)
    except OSError as error:
        raise Unkept from error
    if len(content) > MAX_PHOTO_BYTES:
        raise Unkept(f"it is larger than {MAX_PHOTO_BYTES // 1024**2} MB.")
    return content


def photograph_on_disk(source: Path) -> PhotographOnDisk:
    """What a file on disk is, by its content, which takes seconds for a large one.

    Raises Unkept, and UnreadableImage if it is not a photograph.
    """
    content = read_photograph(source)
    return PhotographOnDisk(sha256(content).digest(), checked_media_type(content))


def listed(name: str, digest: str, found_type: str) -> dict[str, object]:
    """An item's entry for a stored photograph; `name` is its display name."""
    return Media(url=name, stored=digest + ENDINGS[found_type]).model_dump(mode="json")


def digest_of(entry: object) -> str | None:
    """The digest of a listed photograph, None for one that has only a web address."""
    try:
        media = Media.model_validate(entry)
    except ValidationError:
        return None
    return media.stored.partition(".")[0] if media.stored else None


def photograph_type(file: BinaryIO) -> str:
    """The media type of a photograph; raises UnreadableImage for anything else."""
    file.seek(0)
    return checked_media_type(file.read(MAX_PHOTO_BYTES + 1))


PHOTOGRAPHS = Attachment(
    photograph_type,
    MAX_PHOTO_BYTES,
    most=MAX_PHOTOS,
    field="media",
    entry=listed,
    digest_of=digest_of,
)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically: it is complete or absent at any time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{new_id()}")
    draft.write_bytes(content)
    draft.replace(path)
