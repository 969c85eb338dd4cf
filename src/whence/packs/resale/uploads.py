"""Where an organization's photographs are kept: one folder each, files named by their content."""

from __future__ import annotations

import hashlib
from pathlib import Path
from uuid import UUID

from whence.sdk import Invalid, new_id

from .perception.images import MAX_BYTES

MAX_PHOTO_BYTES = MAX_BYTES
"""What is kept must also be openable."""


class Unkept(Invalid):
    """The photograph cannot be read; check that the file is there and may be read."""


def uploads_folder(home: Path, org_id: UUID) -> Path:
    """The folder of one organization under whence's home."""
    return home / "uploads" / str(org_id)


def keep(source: Path, folder: Path) -> str:
    """Copy a photograph into the uploads; the name it has there.  Raises Unkept."""
    try:
        with source.open("rb") as file:
            content = file.read(MAX_PHOTO_BYTES + 1)
    except OSError as error:
        raise Unkept from error
    if len(content) > MAX_PHOTO_BYTES:
        raise Unkept(f"it is larger than {MAX_PHOTO_BYTES // 1024**2} MB.")
    name = hashlib.sha256(content).hexdigest() + source.suffix.lower()
    if not (folder / name).is_file():
        write(folder / name, content)
    return name


def write(path: Path, content: bytes) -> None:
    """Write a file that is whole or not there, whoever looks and whatever happens."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{new_id()}")
    draft.write_bytes(content)
    draft.replace(path)
