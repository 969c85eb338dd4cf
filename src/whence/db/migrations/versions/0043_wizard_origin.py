"""Where a wizard's run was started."""

from whence.db.migrations.sql import run_sql_beside

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    run_sql_beside(__file__)
