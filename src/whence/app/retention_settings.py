"""What is kept for how long, in words, with the variable that sets it."""

from __future__ import annotations

from whence.app.retention import SIGN_IN_DAYS, UNNAMED_FILE_DAYS
from whence.kernel.settings import Settings
from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal, require_owner


class KeptView(Wire):
    """One kind of data, and how long it is kept."""

    what: str
    days: float | None
    """Null: for as long as the organization exists."""
    after: str
    """What the days are counted from."""
    variable: str | None
    """The environment variable that sets it; null where it is fixed."""


class RetentionSettings(Wire):
    """The rules in force, and what happens to the research of deleted records."""

    rules: list[KeptView]
    deletion: str
    """`keep`: research and conversations of a deleted record stay; `erase`: they go with it."""
    deletion_variable: str = "WHENCE_DELETION"


def retention_settings(settings: Settings, who: Principal) -> RetentionSettings:
    """The rules in force; raises Forbidden except for owners."""
    require_owner(who)
    run = "a run ends"
    rows: list[tuple[str, float | None, str, str | None]] = [
        ("Records, evidence, dossiers and conversations", None, "", None),
        ("Audit log", settings.audit_days, "the entry", "WHENCE_AUDIT_DAYS"),
        ("Live events of runs", settings.event_days, run, "WHENCE_EVENT_DAYS"),
        ("Checkpoints, from which a run can resume", settings.checkpoint_days, run,
         "WHENCE_CHECKPOINT_DAYS"),
        ("Logs of model and tool calls, so also spending by day", settings.call_days, "the call",
         "WHENCE_CALL_DAYS"),
        ("Prompts and answers of models, and what rules read for an answer", settings.prompt_days,
         "the call",
         "WHENCE_PROMPT_DAYS"),
        ("Answers in forms", settings.wizard_days, "a form ends", "WHENCE_WIZARD_DAYS"),
        ("Background jobs", settings.job_days, "a job ends", "WHENCE_JOB_DAYS"),
        ("Rows of imports, with which they are undone", settings.import_days, "an import ends",
         "WHENCE_IMPORT_DAYS"),
        ("Ended sessions and sign-in links", SIGN_IN_DAYS, "they end", None),
        ("Uploaded files that no record refers to", UNNAMED_FILE_DAYS, "the upload", None),
    ]  # fmt: skip
    return RetentionSettings(
        rules=[
            KeptView(what=what, days=days, after=after, variable=variable)
            for what, days, after, variable in rows
        ],
        deletion=settings.deletion,
    )
