"""Conversations about records: sessions and their messages."""

from whence.db.migrations.sql import run_sql_beside

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    run_sql_beside(__file__)
