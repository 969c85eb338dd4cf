"""Schedules: what an organization has started again and again, and who it is started by."""

from whence.db.migrations.sql import run_sql_beside

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    run_sql_beside(__file__)
