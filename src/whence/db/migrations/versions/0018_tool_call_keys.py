"""Tool calls of runs are known by a key, so that a change is made once."""

from whence.db.migrations.sql import run_sql_beside

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    run_sql_beside(__file__)
