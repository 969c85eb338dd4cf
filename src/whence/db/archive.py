"""A backup in one file: a manifest, a dump of the database, and the small files of the home.

whence.json       the versions that wrote it, and the SHA-256 of the dump
database.dump     pg_dump's custom format
home/...          files of WHENCE_HOME, such as prices.toml
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Literal

from pydantic import ValidationError

from whence.db.dump import Origin
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, WhenceError
from whence.kernel.wire import Wire

MANIFEST, DUMP, HOME = "whence.json", "database.dump", "home"
_NOT_KEPT = frozenset({"postgres", "demo", "cache"})
"""Not packed: the embedded server's files (the dump replaces them), other databases, downloads."""
_NEVER_PACKED = {(name,) for name in _NOT_KEPT}
_CHUNK = 1 << 20
FORMAT: Literal[1] = 1
"""The form of a backup; raised when an earlier version could not read it."""


class NoBackup(Invalid):
    """This file is not a backup of whence, or it is truncated or damaged."""


class NoRoom(WhenceError):
    """The backup could not be written."""


class Manifest(Wire):
    """The content of `whence.json`."""

    format: Literal[1] = FORMAT
    whence: str
    made_at: datetime
    postgres: int
    """Major version of the server."""
    owner: str
    schemas: tuple[str, ...]
    revision: str
    """The last migration of whence's own tables, such as `0007`."""
    dump_sha256: str
    home_files: int

    @property
    def origin(self) -> Origin:
        """The server and the migration that the dump was taken from."""
        return Origin(self.postgres, self.owner, self.schemas, self.revision)


def files_of(home: Path) -> list[Path]:
    """The files of a home that go into a backup, sorted; symbolic links are not followed."""
    if not home.is_dir():
        return []
    tops = [top for top in sorted(home.iterdir()) if top.name not in _NOT_KEPT]
    files = [path for top in tops for path in ([top, *sorted(top.rglob("*"))])]
    return [path for path in files if path.is_file() and not path.is_symlink()]


@contextmanager
def workplace(beside: Path) -> Generator[Path]:
    """A private temporary folder on the same disk as `beside`; raises NoRoom."""
    try:
        with TemporaryDirectory(prefix=".whence-backup-", dir=beside.resolve().parent) as folder:
            yield Path(folder)
    except OSError as error:
        reason = error.strerror or error
        raise NoRoom(f"The backup at {beside} could not be written or read: {reason}.") from error


def pack(to: Path, whence: str, origin: Origin, dump: Path, home: Path) -> Manifest:
    """Write the backup, readable by its owner only; `to` appears once it is complete."""
    not_kept = {to.resolve(), *dump.parent.resolve().iterdir()}
    files = [path for path in files_of(home) if path.resolve() not in not_kept]
    manifest = Manifest(
        whence=whence,
        made_at=now(),
        postgres=origin.major,
        owner=origin.owner,
        schemas=origin.schemas,
        revision=origin.revision,
        dump_sha256=digest_of(dump),
        home_files=len(files),
    )
    part = dump.with_name("backup.tar")
    head = dump.with_name(MANIFEST)
    head.write_text(manifest.model_dump_json(by_alias=True, indent=2), encoding="utf-8")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            tar.add(head, MANIFEST)
            tar.add(dump, DUMP)
            for path in files:
                tar.add(path, f"{HOME}/{path.relative_to(home)}", recursive=False)
        file.flush()
        os.fsync(file.fileno())
    part.replace(to)
    return manifest


def _require_known_format(backup: Path, manifest: bytes) -> None:
    """Raises NoBackup for a manifest of a later format than this version knows."""
    try:
        number = json.loads(manifest)["format"]
    except (ValueError, TypeError, LookupError):
        return  # damaged: the manifest's own check says so
    if isinstance(number, int) and number > FORMAT:
        raise NoBackup(
            f"{backup} was made by a newer version of whence (format {number}); restore it with "
            "that version or a later one."
        )


def unpack(backup: Path, into: Path) -> Manifest:
    """Unpack a backup into `into` and verify it; raises NoBackup."""
    try:
        with tarfile.open(backup) as tar:
            for member in _safe(tar):
                tar.extract(member, into, filter="data")
        written = (into / MANIFEST).read_bytes()
        _require_known_format(backup, written)
        manifest = Manifest.model_validate_json(written)
        whole = digest_of(into / DUMP) == manifest.dump_sha256
        whole = whole and len(files_of(into / HOME)) == manifest.home_files
    except (tarfile.TarError, ValidationError, FileNotFoundError, EOFError) as error:
        raise NoBackup(
            f"{backup} is not a backup of whence, or it is truncated or damaged."
        ) from error
    if not whole:
        raise NoBackup(f"{backup} is damaged: its checksum does not match.")
    return manifest


def put_back(unpacked: Path, home: Path) -> int:
    """Copy the files of the home back, readable by their owner only; returns how many."""
    files = files_of(unpacked / HOME)
    for path in files:
        target = home / path.relative_to(unpacked / HOME)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.copyfile(path, target)
        target.chmod(0o600)
    return len(files)


def digest_of(path: Path) -> str:
    """SHA-256 (hex) of a file's content."""
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            hasher.update(chunk)
    return hasher.hexdigest()


def _safe(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members that a backup may have; raises NoBackup for any other."""
    for member in tar:
        name = PurePosixPath(member.name)
        ours = member.name in (MANIFEST, DUMP) or (
            name.parts[:1] == (HOME,) and name.parts[1:2] not in _NEVER_PACKED
        )
        if not (member.isfile() and ours and ".." not in name.parts):
            raise NoBackup(
                f"The backup holds '{member.name}', which does not belong in a backup of whence."
            )
        yield member
