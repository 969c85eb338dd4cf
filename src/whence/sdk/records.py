"""Kinds of records: their Pydantic model, their table, their files, and the audit log."""

from whence.db.tables import SubjectRow, TenantRow
from whence.erasure.tables import TableErasure
from whence.records.attachments import Attachment, NamedFile, digests_of
from whence.records.attachments import put as put_files
from whence.records.audit import audit, audit_each
from whence.records.display import Conclusion, Display, Unit
from whence.records.files.files import Files, StoredFile
from whence.records.files.rows import CarriesFiles
from whence.records.files.spool import Spooled
from whence.records.indexing import reindex
from whence.records.kind import ListedFile, Relation, ReviewState, SubjectKind
from whence.records.relation import OnDelete, RecordId, RecordRef

__all__ = [
    "Attachment",
    "CarriesFiles",
    "Conclusion",
    "Display",
    "Files",
    "ListedFile",
    "NamedFile",
    "OnDelete",
    "RecordId",
    "RecordRef",
    "Relation",
    "ReviewState",
    "Spooled",
    "StoredFile",
    "SubjectKind",
    "SubjectRow",
    "TableErasure",
    "TenantRow",
    "Unit",
    "audit",
    "audit_each",
    "digests_of",
    "put_files",
    "reindex",
]
