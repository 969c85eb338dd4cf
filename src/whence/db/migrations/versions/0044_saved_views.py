"""Lists of records that people save under a name."""

from whence.db.migrations.sql import run_sql_beside

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    run_sql_beside(__file__)
