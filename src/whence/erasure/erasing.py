"""Erases a record or a person: every row, value and file, for good, in one transaction.

A tombstone remains: ids, who erased it, when, why, and the number of rows from each table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.transcript import search as messages
from whence.erasure import names, sets, tombstones
from whence.erasure.dependents import Doomed
from whence.erasure.mentions import Mentions
from whence.erasure.tables import CORE, TableErasure
from whence.erasure.tombstones import Erasure
from whence.kernel.errors import Conflict, NotFound
from whence.search import index
from whence.tenancy.principal import Principal
from whence.work.queue import JobQueue

PERSON = "person"
"""The kind of an erasure of a member of the organization."""
_ROWS = text("SELECT whence.erase_rows(:erasure, :table, :key, CAST(:ids AS text[]))")
_CHECKPOINTS = text("SELECT whence.erase_checkpoints(:erasure, CAST(:ids AS text[]))")
_DRAFTS = text("DELETE FROM whence.imports WHERE status = 'draft' AND file = ANY (:ids)")
_IMPORTED = text("""
    UPDATE whence.imports SET file = NULL WHERE ended_at IS NOT NULL AND file = ANY (:ids)
""")
_FILES = text("SELECT whence.erase_files(:erasure, CAST(:ids AS text[]))")
_AUDIT = text("SELECT whence.erase_audit(:erasure, CAST(:ids AS text[]), :names)")
_ACCOUNT = text("SELECT whence.erase_account(:erasure, :person)")
_MEMBER = text("""
    SELECT u.email, u.name, m.role,
        (SELECT count(*) FROM whence.memberships o WHERE o.role = 'owner') AS owners
    FROM whence.users u JOIN whence.memberships m ON m.user_id = u.id WHERE u.id = :person
""")


class LastOwner(Conflict):
    """This is the organization's only owner; make somebody else an owner first."""


class Yourself(Conflict):
    """You cannot erase yourself; another owner has to do it."""


async def erase_record(
    session: AsyncSession,
    queue: JobQueue,
    who: Principal,
    doomed: Doomed,
    reason: str,
    declared: Sequence[TableErasure],
    also_known_as: Sequence[str] = (),
    collections: Sequence[str] = (),
    *,
    by_deletion: bool = False,
) -> Erasure:
    """Erase a record, deleted or not, with its dependents.

    `declared` are the packs' tables, and `collections` the names of theirs in the search index;
    `also_known_as` are further names under which conversations and reports may mention the record.
    Evidence that other research uses stays, and is counted under `kept`.  For a preview, call this
    and roll back.  Raises Invalid.
    """
    extra_names = names.checked(also_known_as)
    tombstone = await tombstones.begin(
        session, who, doomed.kind.kind, doomed.id, reason, by_deletion=by_deletion
    )
    of_record = await sets.of_record(session, doomed.ids)
    pattern = names.pattern(doomed.external_ids, extra_names)
    for kind, ids in doomed.by_kind:
        await index.remove(session, kind.kind, ids)
    for name in collections:
        if await index.remove(session, name, doomed.ids):
            await index.count_terms(session, name)
    own = [TableErasure(str(kind.row.__table__), (("id", "record"),)) for kind, _ in doomed.by_kind]
    tables = [*CORE, *declared, *own]
    removed = await _erase(session, queue, tombstone.id, of_record.sets, tables, pattern)
    shared = {"whence.evidence": len(of_record.shared)} if of_record.shared else {}
    return await tombstones.end(session, who, tombstone, removed, shared)


async def erase_person(
    session: AsyncSession,
    queue: JobQueue,
    who: Principal,
    person: UUID,
    reason: str,
    declared: Sequence[TableErasure],
    also_known_as: Sequence[str] = (),
) -> Erasure:
    """Erase a member: conversations, wizards, sign-ins, membership, name and e-mail.

    The account itself stays if another organization has it; the member's changes to records stay in
    the log under their id.  Raises NotFound, LastOwner, Yourself.
    """
    if person == who.user_id:
        raise Yourself
    extra_names = names.checked(also_known_as)
    member = (await session.execute(_MEMBER, {"person": person})).one_or_none()
    if member is None:
        raise NotFound("There is no such member.")
    if member.role == "owner" and member.owners == 1:
        raise LastOwner
    tombstone = await tombstones.begin(session, who, PERSON, person, reason)
    of_person = await sets.of_person(session, person)
    pattern = names.pattern([member.email, member.name], extra_names)
    removed = await _erase(session, queue, tombstone.id, of_person, [*CORE, *declared], pattern)
    values = {"erasure": tombstone.id, "person": person}
    is_erased: bool = (await session.execute(_ACCOUNT, values)).scalar_one()
    removed |= {"whence.memberships": 1} | ({"whence.users": 1} if is_erased else {})
    remaining = {} if is_erased else {"whence.users": 1}
    return await tombstones.end(session, who, tombstone, removed, remaining)


async def _erase(
    session: AsyncSession,
    queue: JobQueue,
    erasure: UUID,
    of: sets.Sets,
    tables: Sequence[TableErasure],
    pattern: str,
) -> dict[str, int]:
    removed = Counter(await Mentions(erasure, of, pattern, queue).erase(session))
    await messages.remove(session, sessions=of.get("conversations", ()))
    if runs := of.get("runs"):
        values = {"erasure": erasure, "ids": runs}
        removed["checkpoints"] += (await session.execute(_CHECKPOINTS, values)).scalar_one()
    for each in tables:
        for key, name in each.keys:
            if ids := of.get(name):
                values = {"erasure": erasure, "table": each.table, "key": key, "ids": ids}
                removed[each.table] += (await session.execute(_ROWS, values)).scalar_one()
    if digests := of.get("files"):
        await session.execute(_DRAFTS, {"ids": digests})
        await session.execute(_IMPORTED, {"ids": digests})
        files = await session.scalars(_FILES, {"erasure": erasure, "ids": digests})
        removed["whence.files"] += len(list(files))
    subjects = [each for name in ("record", "person", "proposals") for each in of.get(name, ())]
    values = {"erasure": erasure, "ids": subjects, "names": pattern}
    removed["whence.audit_log"] += (await session.execute(_AUDIT, values)).scalar_one()
    return {table: count for table, count in sorted(removed.items()) if count}
