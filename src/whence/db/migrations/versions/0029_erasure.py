"""Erasing a record or a person for good."""

from whence.db.migrations.sql import run_sql_beside

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    run_sql_beside(__file__)
