"""What a blank record is to the engine: its record, its table, and how it is found and shown."""

from __future__ import annotations

from whence.sdk.records import Display, SubjectKind

from .records import BlankRecord, BlankRecordRow

BLANK_RECORDS = SubjectKind(
    kind="blank-records",
    title="Blank record",
    record=BlankRecord,
    row=BlankRecordRow,
    search=("title", "text"),
    filters=("title",),
    sorts=("title",),
    display=Display(title="title", subtitle="text"),
    not_ready=lambda record: None if record.text.strip() else "it has no text",
)
