"""Files that a record carries: put one with it, read it, take it away."""

from __future__ import annotations

import asyncio

from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.text import clean
from whence.records import store
from whence.records.files.files import Files, StoredFile
from whence.records.files.spool import Spooled
from whence.records.kind import Attachment, Entry, SubjectKind
from whence.tenancy.principal import Principal, Scope

MAX_NAME = 200
"""Characters of a file's name that are kept."""


class NoAttachments(NotFound):
    """Records of this kind carry no files."""


class EmptyFile(Invalid):
    """The file is empty; send its content as the body (`curl --data-binary @photo.jpg`)."""


async def attach(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    files: Files,
    name: str,
    file: Spooled,
    if_match: int | None = None,
) -> tuple[SubjectRow, str]:
    """Put a file with a record; the changed record and the file's digest.  Twice is once.

    Raises Forbidden without the scope `write`, Invalid when the content is nothing that the kind
    takes, Conflict as `store.patch`.
    """
    who.require(Scope.WRITE)
    way = attachment_of(kind)
    if not file.size:
        raise EmptyFile
    media_type = await asyncio.to_thread(way.check, file.file)
    digest = (await files.keep(session, file, media_type)).digest
    row = await store.get(session, kind, row.id, to_change=True)
    entries = _entries(way, row)
    if any(way.digest_of(entry) == digest for entry in entries):
        return row, digest
    entries.append(way.entry(plain_name(name), digest, media_type))
    return await store.patch(session, who, kind, row.id, {way.field: entries}, if_match), digest


async def detach(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    digest: str,
    if_match: int | None = None,
) -> SubjectRow:
    """Take a file off a record; its content stays, since evidence may name it.

    Raises Forbidden without the scope `write`, NotFound when the record does not carry it.
    """
    who.require(Scope.WRITE)
    way = attachment_of(kind)
    row = await store.get(session, kind, row.id, to_change=True)
    entries = _entries(way, row)
    rest = [entry for entry in entries if way.digest_of(entry) != digest]
    if len(rest) == len(entries):
        raise NotFound(f"This {kind.title.lower()} carries no such file.")
    return await store.patch(session, who, kind, row.id, {way.field: rest}, if_match)


async def find(
    session: AsyncSession, kind: SubjectKind, row: SubjectRow, files: Files, digest: str
) -> StoredFile:
    """A file that the record carries; raises NotFound for any other, whoever has it."""
    way = attachment_of(kind)
    carried = any(way.digest_of(entry) == digest for entry in _entries(way, row))
    found = await files.find(session, digest) if carried else None
    if found is None:
        raise NotFound(f"This {kind.title.lower()} carries no such file.")
    return found


def plain_name(name: str) -> str:
    """The last part of a name, as text to show: `..\\..\\a/b.JPG` is `b.JPG`."""
    last = clean(name.replace("\\", "/")).rpartition("/")[2].strip(". ")
    return last[-MAX_NAME:] or "file"


def attachment_of(kind: SubjectKind) -> Attachment:
    """How records of a kind carry files; raises NoAttachments."""
    if kind.attachment is None:
        raise NoAttachments
    return kind.attachment


def _entries(way: Attachment, row: SubjectRow) -> list[Entry]:
    return list(getattr(row, way.field))
