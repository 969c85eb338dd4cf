"""A blank record, and its table.

Every field of the record is a column of the table; both change together with a new migration.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import StringConstraints
from sqlalchemy.orm import Mapped

from whence.sdk.records import SubjectRow
from whence.sdk.values import Wire


class BlankRecord(Wire):
    """What a person knows about a blank record."""

    title: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
    text: str = ""


class BlankRecordRow(SubjectRow):
    """The table of blank records."""

    __tablename__ = "blank_records"
    __table_args__ = {"schema": "blank_pack"}  # noqa: RUF012

    title: Mapped[str]
    text: Mapped[str]
