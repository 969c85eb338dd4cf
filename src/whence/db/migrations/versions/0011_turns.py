"""Turns of conversations: their live events, and the research that they asked for."""

from whence.db.migrations.sql import run_sql_beside

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    run_sql_beside(__file__)
