"""Kinds of records: their Pydantic model, their table, their files, and the audit log."""

from whence.db.tables import SubjectRow, Table, TenantRow
from whence.records.attachments import Attachment
from whence.records.audit import audit
from whence.records.files.store import StoredFile
from whence.records.files.store import keep as keep_file
from whence.records.files.store import read as read_file
from whence.records.kind import SubjectKind

__all__ = [
    "Attachment",
    "StoredFile",
    "SubjectKind",
    "SubjectRow",
    "Table",
    "TenantRow",
    "audit",
    "keep_file",
    "read_file",
]
