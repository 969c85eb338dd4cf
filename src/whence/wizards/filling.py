"""What a completed wizard writes: a record of its kind, in the transaction that completes it."""

from __future__ import annotations

from uuid import UUID

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import WhenceError
from whence.records import store as records
from whence.tenancy.principal import Principal
from whence.wizards.answers import Answers
from whence.wizards.catalog import Wizards
from whence.wizards.definition import Wizard


class NotARecord(WhenceError):
    """A wizard's answers make no valid record: its `fill` is wrong; nothing was written."""


async def fill(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    wizard: Wizard,
    answers: Answers,
    subject_id: UUID | None,
) -> UUID | None:
    """Write the record and give its id; without `fill` nothing is written.

    Of a record that there is, only the fields that `fill` set are changed: what others changed
    meanwhile stays.  Raises NotFound when it was deleted, NotARecord.
    """
    if wizard.fill is None or wizard.kind is None:
        return subject_id
    kind = wizards.kinds[wizard.kind]
    try:
        record = wizard.fill(answers)
    except ValidationError as error:
        raise NotARecord(f"The answers of '{wizard.id}' make no {kind.title.lower()}.") from error
    if subject_id is None:
        return (await records.create(session, who, kind, record)).id
    columns = kind.columns(record)
    changes = {name: columns[name] for name in record.model_fields_set}
    return (await records.patch(session, who, kind, subject_id, changes, None)).id
