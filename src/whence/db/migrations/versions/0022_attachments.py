"""Files that records carry, in a table of their own."""

from whence.db.migrations.sql import run_sql_beside

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    run_sql_beside(__file__)
