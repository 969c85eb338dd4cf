"""All retention rules of this installation in one place."""

from __future__ import annotations

from collections.abc import Sequence

from whence.db.database import Database
from whence.kernel.settings import Settings
from whence.records.files.files import Files
from whence.work.retention import Retention, by_function

SIGN_IN_DAYS = 30.0
"""Days to keep used or expired sign-in links and ended sessions, to answer who was signed in."""
IMPORT_FILE_DAYS = 7.0
"""Days to keep the file of an import that was not started, or ended early and may be resumed."""
UNNAMED_FILE_DAYS = 1.0
"""Days to keep a file that no record refers to (yet)."""


def retention_rules(db: Database, settings: Settings, files: Files) -> Sequence[Retention]:
    """The rules with the values from the settings.

    A finished run keeps its row, steps, evidence and dossier; an unfinished one keeps everything.
    """
    rules = [
        by_function(db, "checkpoints", settings.checkpoint_days, "prune_checkpoints"),
        by_function(db, "events", settings.event_days, "prune_events"),
        by_function(db, "sign_ins", SIGN_IN_DAYS, "prune_sign_ins"),
        by_function(db, "wizards", settings.wizard_days, "prune_wizards"),
        by_function(db, "tool_calls", settings.call_days, "prune_tool_calls"),
        by_function(db, "model_calls", settings.call_days, "prune_model_calls"),
        by_function(db, "model_exchanges", settings.prompt_days, "prune_model_exchanges"),
        by_function(db, "turn_contexts", settings.prompt_days, "prune_turn_contexts"),
        by_function(db, "jobs", settings.job_days, "prune_jobs"),
        by_function(db, "import_rows", settings.import_days, "prune_import_rows"),
        by_function(db, "import_files", IMPORT_FILE_DAYS, "prune_import_files"),
        Retention("files", UNNAMED_FILE_DAYS, files.prune_unnamed),
    ]
    if settings.audit_days is not None:
        rules.append(by_function(db, "audit_log", settings.audit_days, "prune_audit_log"))
    return rules
