"""Kinds of records: their Pydantic model, their table, their files, and the audit log."""

from whence.db.tables import SubjectRow, Table, TenantRow
from whence.records.attachments import Attachment
from whence.records.audit import audit
from whence.records.files.files import Files, StoredFile
from whence.records.files.spool import Spooled
from whence.records.kind import SubjectKind

__all__ = [
    "Attachment",
    "Files",
    "Spooled",
    "StoredFile",
    "SubjectKind",
    "SubjectRow",
    "Table",
    "TenantRow",
    "audit",
]
