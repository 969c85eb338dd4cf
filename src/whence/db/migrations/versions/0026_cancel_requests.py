"""Requests to cancel work are rows of their own, so that nobody waits for the work's row."""

from whence.db.migrations.sql import run_sql_beside

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    run_sql_beside(__file__)
