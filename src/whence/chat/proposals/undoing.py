"""`undo that`: proposes to reverse the person's last applied change of the record.

It is a proposal like any other: nothing is written until the person applies it.  A field that
changed again since is not undone; the person has to say what it should be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypedDict, Unpack
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.citing.staleness import format_day
from whence.chat.language.length_limit import readable_part
from whence.chat.language.message_parts import message_parts
from whence.chat.language.spelling import expand_abbreviations, field_pattern, find_field
from whence.chat.language.vocabulary import STRONG_VERB
from whence.chat.offer import Chat
from whence.chat.proposals import service as proposals
from whence.chat.proposals.tables import ProposalRow
from whence.db.tables import SubjectRow
from whence.kernel.clock import now
from whence.kernel.errors import Conflict
from whence.records import store
from whence.records.kind import SubjectKind
from whence.tenancy.principal import Principal, agent_of


class NothingToUndo(Conflict):
    """You have not applied a change to this record, so there is nothing to undo."""


class NotAppliedYet(Conflict):
    """The last change was proposed but not applied, so there is nothing to undo."""


class ChangedSince(Conflict):
    """The field has changed again since; say what the value should be."""

    def __init__(self, fields: list[str]) -> None:
        super().__init__()
        self.fields = fields


_THINGS = (
    r"it|that|this|them|those|these|the|my|your|our|last|latest|previous|most|recent|change|changes|"
    r"edit|edits|update|one|thing|what|which|you|i|we|just|did|done|made|applied|changed|again|"
    r"everything|all|both|and|of|in|to|value|values|record|item"
)
_BEFORE = (
    r"again|as|to|how|what|where|the|way|it|they|that|this|was|were|before|old|previous|original|"
    r"former|value|values|state|has|had|been"
)
_BRINGS_BACK = "put|roll|take|change|turn|switch|set|bring|move|get|have"


class Origin(TypedDict):
    """The answer that makes the proposal."""

    chat_session_id: UUID
    message_id: UUID


@dataclass(frozen=True)
class UndoRequest:
    """What to undo: these fields, or everything the last change changed."""

    fields: frozenset[str] = frozenset()


def find_undo_request(text: str, chat: Chat) -> UndoRequest | None:
    """What a message asks to undo; None if nothing.

    `change it back to 40` names the new value, so it is an ordinary change.
    """
    fields = field_pattern(chat)
    objects = rf"(?:\s+(?:{_THINGS}|{fields.pattern}))*"
    form = re.compile(
        rf"(?:(?:undo|revert|reverse|restore|roll\s+back|take\s+back){objects}"
        rf"|(?:{_BRINGS_BACK}){objects}\s+back(?:\s+(?:{_BEFORE}))*"
        rf"|go\s+back(?:\s+to(?:\s+(?:{_BEFORE}|{fields.pattern}))+)?)\W*",
        re.I,
    )
    parts = message_parts(readable_part(text), chat)
    for part in parts:
        request = expand_abbreviations(part.core)
        others = (each.core for each in parts if each is not part)
        if any(re.match(STRONG_VERB, core, re.I) for core in others):
            continue
        if not part.is_negated and form.fullmatch(request):
            named = (find_field(match[0], chat) for match in fields.finditer(request))
            return UndoRequest(frozenset(field.field for field in named if field))
    return None


async def propose_undo(
    session: AsyncSession,
    who: Principal,
    kind: SubjectKind,
    subject_id: UUID,
    request: UndoRequest,
    words: str,
    **origin: Unpack[Origin],
) -> ProposalRow:
    """Propose the values that the person's last applied change of the record replaced.

    Raises NothingToUndo, NotAppliedYet, ChangedSince, and what `proposals.propose` raises.
    """
    row = await store.get(session, kind, subject_id)
    last = await _last_applied(session, who, kind.kind, row, request)
    values = {name: last.before[name] for name in request.fields & last.after.keys() or last.after}
    present = kind.before(row)
    if changed_since := sorted(name for name in values if present[name] != last.after[name]):
        raise ChangedSince(changed_since)
    explanation = f"undoes the change applied on {format_day(last.applied_at or last.created_at)}"
    return await proposals.propose(
        session,
        agent_of(who),
        kind,
        subject_id,
        values,
        reason=f"{words.strip()[: proposals.MAX_REASON // 2]} ({explanation})",
        **origin,
    )


async def _last_applied(
    session: AsyncSession, who: Principal, kind: str, subject: SubjectRow, request: UndoRequest
) -> ProposalRow:
    row = ProposalRow
    own = select(row).where(
        row.user_id == who.user_id, row.kind == kind, row.subject_id == subject.id
    )
    if request.fields:
        own = own.where(or_(*(row.after.has_key(name) for name in sorted(request.fields))))
    applied = own.where(row.status == "applied").order_by(row.applied_at.desc()).limit(1)
    last = (await session.scalars(applied)).one_or_none()
    pending = own.where(
        row.status == "proposed",
        row.expires_at > now(),
        row.subject_version == subject.version,
    )
    newest = (await session.scalars(pending.order_by(row.created_at.desc()).limit(1))).one_or_none()
    if newest and (last is None or last.applied_at is None or newest.created_at > last.applied_at):
        raise NotAppliedYet
    if last is None:
        raise NothingToUndo
    return last
