"""Runs, evidence, dossiers and call logs."""

from whence.db.migrations.sql import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql_beside(__file__)
