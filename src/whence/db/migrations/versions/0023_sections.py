"""Sections of a dossier, saved as they are finished, each with versions of its own."""

from whence.db.migrations.sql import run_sql_beside

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    run_sql_beside(__file__)
