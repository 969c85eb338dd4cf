"""The one list of all tables, and how each loses the rows of a record or a person.

A table that is missing here, and that no pack declares, fails `tests/erasure/test_tables.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class TableErasure:
    """How to erase the rows of one table: those whose `key` is in the set `of`.

    Sets of a record: `record` (its id), `runs`, `work` (runs, and jobs about it), `dossiers`,
    `sections`, `claims`, `evidence` (what only it used), `conversations`, `wizards`, `proposals`,
    `streams`.  Sets of a person: `person` (the user's id), `conversations`, `wizards`, `streams`,
    `invitations`.  A set that does not apply is empty.  A table without keys says what else removes
    its rows, or why they stay.
    """

    table: str
    keys: tuple[tuple[str, str], ...] = ()
    """(column, set) pairs."""
    otherwise: str = ""
    """What else removes or empties the rows."""
    stays: str = ""
    """Why the rows stay."""

    def __post_init__(self) -> None:
        if sum(map(bool, (self.keys, self.otherwise, self.stays))) != 1:
            raise ValueError(f"{self.table}: name keys, or what else removes its rows, or why not")


def by_key(table: str, *keys: tuple[str, str]) -> TableErasure:
    """Rows of the core that are deleted by these keys."""
    return TableErasure(f"whence.{table}", keys)


def otherwise(table: str, how: str) -> TableErasure:
    """Rows of the core that are deleted or emptied in another way."""
    return TableErasure(f"whence.{table}", otherwise=how)


def stays(table: str, why: str) -> TableErasure:
    """Rows of the core that stay, with the reason."""
    return TableErasure(f"whence.{table}", stays=why)


CORE = (
    # In this order: what names others goes before what it names.
    by_key("claim_evidence", ("claim_id", "claims"), ("evidence_id", "own_evidence")),
    by_key("claims", ("id", "claims")),
    by_key("sections", ("id", "sections")),
    by_key("dossiers", ("id", "dossiers")),
    by_key("bundle_items", ("run_id", "runs"), ("evidence_id", "own_evidence")),
    by_key("evidence", ("id", "evidence"), ("id", "own_evidence")),
    by_key("run_steps", ("run_id", "runs")),
    by_key("tool_calls", ("run_id", "work"), ("id", "tool_calls")),
    by_key("model_exchanges", ("run_id", "work"), ("call_id", "model_exchanges")),
    by_key("model_calls", ("run_id", "work")),
    by_key("chat_followings", ("run_id", "runs"), ("session_id", "conversations")),
    by_key("turn_contexts", ("session_id", "conversations"), ("message_id", "turn_contexts")),
    by_key("chat_messages", ("session_id", "conversations")),
    by_key("chat_sessions", ("id", "conversations")),
    by_key("chat_spending", ("scope", "spending")),
    by_key("wizard_answers", ("run_id", "wizards")),
    by_key("wizard_runs", ("id", "wizards")),
    by_key("proposals", ("id", "proposals")),
    by_key("events", ("stream_id", "streams")),
    by_key("streams", ("stream_id", "streams")),
    by_key("runs", ("id", "runs")),
    by_key("schedules", ("id", "schedules")),
    by_key("cancel_requests", ("id", "work")),
    by_key("work", ("id", "work")),
    by_key("import_rows", ("record_id", "record")),
    by_key("attachments", ("subject_id", "record")),
    by_key("sessions", ("user_id", "person")),
    by_key("api_tokens", ("user_id", "person")),
    by_key("saved_views", ("user_id", "person")),
    by_key("invitations", ("id", "invitations"), ("invited_by", "person")),
    stays("source_days", "counts by day, of no record"),
    stays("source_states", "what sources answered last, of no record"),
    otherwise("import_problems", "lines about the record are emptied (`erasure/mentions.py`)"),
    otherwise("search_documents", "records and messages leave the index (`search/index.py`)"),
    otherwise("search_postings", "records and messages leave the index (`search/index.py`)"),
    otherwise("files", "go in the same transaction when no row names them any more"),
    otherwise("file_chunks", "go with their file"),
    otherwise("audit_log", "lines stay without their details (`whence.erase_audit`)"),
    otherwise("memberships", "a person's goes with the account (`whence.erase_account`)"),
    otherwise("users", "the account loses name and e-mail (`whence.erase_account`)"),
    otherwise("passwords", "go with the account (`whence.erase_account`)"),
    otherwise("password_links", "go with the account (`whence.erase_account`)"),
    *(
        TableErasure(f"checkpoints.{table}", otherwise="go with their run")
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    ),
    stays("erasures", "the tombstones: ids, a reason and counts"),
    stays("imports", "the import itself: the name of a file, and counts"),
    stays("organizations", "the organization itself"),
    stays("organization_profiles", "what the organization says of itself"),
    otherwise("search_counts", "are counted again without the record (`search/index.py`)"),
    stays("search_definitions", "what is indexed"),
    stays("sign_in_tries", "counters under a hash, for a day"),
    stays("signing_keys", "of the installation"),
    stays("schema_state", "of the installation"),
    stays("schema_version", "of the installation"),
    TableErasure("checkpoints.checkpoint_migrations", stays="of the installation"),
    *(
        TableErasure(f"jobs.{table}", stays="ids and times only")
        for table in (
            "applied_migrations",
            "procrastinate_events",
            "procrastinate_jobs",
            "procrastinate_periodic_defers",
            "procrastinate_workers",
            "whence_turns",
        )
    ),
)
"""Tables of the core and of the libraries it uses."""


def missing(tables: Iterable[str], erasures: Iterable[TableErasure]) -> set[str]:
    """Tables without an erasure rule."""
    return set(tables) - {each.table for each in erasures}
