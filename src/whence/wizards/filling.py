"""Writes the record of a completed wizard, in the transaction that completes it."""

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
    """The wizard's answers do not make a valid record; fix its `fill`. Nothing was written."""


async def fill(
    session: AsyncSession,
    who: Principal,
    wizards: Wizards,
    wizard: Wizard,
    answers: Answers,
    subject_id: UUID | None,
) -> UUID | None:
    """Write the record and return its id; without `fill` nothing is written.

    In an existing record only the fields that `fill` set are changed: other people's changes stay.
    Raises NotFound if the record was deleted, and NotARecord.
    """
    if wizard.fill is None or wizard.kind is None:
        return subject_id
    kind = wizards.kinds[wizard.kind]
    try:
        record = wizard.fill(answers)
    except ValidationError as error:
        raise NotARecord(
            f"The answers of '{wizard.id}' do not make a valid {kind.title.lower()}."
        ) from error
    if subject_id is None:
        return (await records.create(session, who, kind, record)).id
    columns = kind.columns(record)
    changes = {name: columns[name] for name in record.model_fields_set}
    return (await records.patch(session, who, kind, subject_id, changes, None)).id
