"""A deletion may be an erasure, where the installation says so."""

from whence.db.migrations.sql import run_sql_beside

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    run_sql_beside(__file__)
