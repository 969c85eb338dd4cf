"""Files that a record carries: put one with it, read it, order them, take one away.

Each act raises the record's version and writes one short line into the audit log, however many
files there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from whence.db.tables import SubjectRow
from whence.kernel.clock import now
from whence.kernel.errors import Invalid, NotFound
from whence.kernel.ids import new_id
from whence.kernel.text import clean, one_line
from whence.records import store
from whence.records.audit import audit
from whence.records.files.files import Files, StoredFile
from whence.records.files.rows import AttachmentRow, CarriesFiles
from whence.records.files.spool import Spooled
from whence.records.kind import Attachment, SubjectKind
from whence.tenancy.principal import Principal, Scope

MAX_NAME = 200
"""Characters of a file name to keep."""
MAX_CAPTION = 2_000
"""Characters of a caption."""


class NoAttachments(NotFound):
    """Records of this kind carry no files."""


class EmptyFile(Invalid):
    """The file is empty; send its content as the body (`curl --data-binary @photo.jpg`)."""


@dataclass(frozen=True)
class NamedFile:
    """A stored file with its display name."""

    name: str
    file: StoredFile


async def attach(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    files: Files,
    name: str,
    spooled: Spooled,
    if_match: int | None = None,
) -> tuple[SubjectRow, str]:
    """Put a file with a record; the changed record and the file's digest.  Twice is once.

    Raises Forbidden without the scope `write`, Invalid when the content is nothing that the kind
    takes or there are as many files as a record may carry, Conflict as `store.patch`.
    """
    who.require(Scope.WRITE)
    way = attachment_of(kind)
    if not spooled.size:
        raise EmptyFile
    media_type = await asyncio.to_thread(way.check, spooled.file)
    file = await files.keep(session, spooled, media_type)
    row = await store.get_version(session, kind, row.id, if_match)
    if any(each.digest == file.digest for each in carried(row)):
        return row, file.digest
    await _add(session, who, kind, row, [NamedFile(name, file)])
    await _changed(session, who, kind, row, "attach_file", None, _line(carried(row)[-1]))
    return row, file.digest


async def put(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    wanted: Sequence[NamedFile],
) -> bool:
    """Make a record carry exactly these files, which are kept already; whether that changed it.

    For imports: the caller raises the version and writes the line of the whole import.
    """
    unique = {each.file.digest: each for each in reversed(wanted)}
    unique = dict(reversed(unique.items()))
    had = digests_of(row)
    if had == list(unique):
        return False
    gone = [digest for digest in had if digest not in unique]
    if gone:
        await _remove(session, row, gone)
    await _add(session, who, kind, row, [each for key, each in unique.items() if key not in had])
    await _order(session, row, list(unique))
    return True


async def set_back(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    digests: Sequence[str],
    action: str,
) -> None:
    """Make a record carry the files that it carried before, in that order, such as for an undo."""
    had = digests_of(row)
    await _remove(session, row, [each for each in had if each not in digests])
    gone = AttachmentRow.subject_id == row.id, AttachmentRow.digest.in_({*digests} - {*had})
    latest = select(AttachmentRow.id).distinct(AttachmentRow.digest).where(*gone)
    latest = latest.order_by(AttachmentRow.digest, AttachmentRow.removed_at.desc())
    back = update(AttachmentRow).where(AttachmentRow.id.in_(latest)).values(removed_at=None)
    await session.execute(back)
    await _order(session, row, digests)
    await _changed(session, who, kind, row, action, {"files": had}, {"files": list(digests)})


def digests_of(row: SubjectRow) -> list[str]:
    """The digests of the files that a record carries, in their order."""
    return [each.digest for each in carried(row)]


async def detach(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    digest: str,
    if_match: int | None = None,
) -> SubjectRow:
    """Take a file off a record; its content stays, since evidence may name it, until the record
    is erased.

    Raises Forbidden without the scope `write`, NotFound when the record does not carry it, Conflict
    as `store.patch`.
    """
    who.require(Scope.WRITE)
    row = await store.get_version(session, kind, row.id, if_match)
    attachment = find(kind, row, digest)
    line = _line(attachment)
    await _remove(session, row, [digest])
    await _changed(session, who, kind, row, "detach_file", line, None)
    return row


async def change(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    digest: str,
    *,
    name: str | None = None,
    caption: str | None = None,
    position: int | None = None,
    if_match: int | None = None,
) -> SubjectRow:
    """Rename a file, caption it, or move it among the record's files; None leaves things as is.

    Raises as `detach`.
    """
    who.require(Scope.WRITE)
    row = await store.get_version(session, kind, row.id, if_match)
    attachment = find(kind, row, digest)
    before = _line(attachment)
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = plain_name(name)
    if caption is not None:
        values["caption"] = clean(caption)[:MAX_CAPTION]
    if values:
        ours = AttachmentRow.id == attachment.id
        await session.execute(update(AttachmentRow).where(ours).values(values))
    if position is not None:
        order = [each.digest for each in carried(row) if each.digest != digest]
        order.insert(min(position, len(order)), digest)
        await _order(session, row, order)
    await _reload(session, row)
    after = _line(find(kind, row, digest))
    if after != before:
        await _changed(session, who, kind, row, "change_file", before, after)
    return row


async def page(
    session: AsyncSession, row: SubjectRow, *, after: int = -1, limit: int = 50
) -> Sequence[AttachmentRow]:
    """The record's files in their order, those behind the position `after`."""
    query = select(AttachmentRow).where(
        AttachmentRow.subject_id == row.id,
        AttachmentRow.removed_at.is_(None),
        AttachmentRow.position > after,
    )
    return list(await session.scalars(query.order_by(AttachmentRow.position).limit(limit)))


def find(kind: SubjectKind, row: SubjectRow, digest: str) -> AttachmentRow:
    """A file attached to the record; raises NotFound for any other, whoever has it."""
    attachment_of(kind)
    attachment = next((each for each in carried(row) if each.digest == digest), None)
    if attachment is None:
        raise NotFound(f"This {kind.title.lower()} carries no such file.")
    return attachment


def carried(row: SubjectRow) -> Sequence[AttachmentRow]:
    """The files attached to a record, in order."""
    return row.attached if isinstance(row, CarriesFiles) else ()


def attachment_of(kind: SubjectKind) -> Attachment:
    """The attachment rules of a kind; raises NoAttachments."""
    if kind.attachment is None:
        raise NoAttachments
    return kind.attachment


def plain_name(name: str) -> str:
    """The last part of a name, on one line: `..\\..\\a/b.JPG` is `b.JPG`."""
    last = one_line(name.replace("\\", "/")).rpartition("/")[2].strip(". ")
    return last[-MAX_NAME:] or "file"


async def _add(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    named: Sequence[NamedFile],
) -> None:
    way, there = attachment_of(kind), carried(row)
    if len(there) + len(named) > way.most:
        raise Invalid(f"A record of this kind carries {way.most} files at most; remove one first.")
    first = max((each.position for each in there), default=-1) + 1
    session.add_all(
        AttachmentRow(
            id=new_id(),
            kind=kind.kind,
            subject_id=row.id,
            digest=each.file.digest,
            name=plain_name(each.name),
            media_type=each.file.media_type,
            size=each.file.size,
            position=first + number,
            added_by=who.user_id,
        )
        for number, each in enumerate(named)
    )
    await session.flush()
    await _reload(session, row)


async def _remove(session: AsyncSession, row: SubjectRow, digests: Sequence[str]) -> None:
    ours = AttachmentRow.subject_id == row.id, AttachmentRow.removed_at.is_(None)
    removed = update(AttachmentRow).where(*ours, AttachmentRow.digest.in_(digests))
    await session.execute(removed.values(removed_at=now()))
    await _reload(session, row)


async def _order(session: AsyncSession, row: SubjectRow, digests: Sequence[str]) -> None:
    ours = AttachmentRow.subject_id == row.id, AttachmentRow.removed_at.is_(None)
    place = func.array_position(list(digests), AttachmentRow.digest) - 1
    await session.execute(update(AttachmentRow).where(*ours).values(position=place))
    await _reload(session, row)


async def _reload(session: AsyncSession, row: SubjectRow) -> None:
    for attachment in carried(row):
        session.expire(attachment)
    await session.refresh(row, ["attached"])


async def _changed(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    row: SubjectRow,
    action: str,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
) -> None:
    row.version += 1
    row.updated_at = now()
    await session.flush()
    detail = {"before": {"file": before}, "after": {"file": after}}
    await audit(session, who, action, kind.kind, row.id, detail)


def _line(attachment: AttachmentRow) -> dict[str, Any]:
    """A file's entry in the audit log."""
    line = {"name": attachment.name, "digest": attachment.digest, "position": attachment.position}
    return line | ({"caption": attachment.caption} if attachment.caption else {})
