"""Imports are kept: how far each is, its report, and the records that it touched."""

from whence.db.migrations.sql import run_sql_beside

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    run_sql_beside(__file__)
