"""Jobs that ended are removed after a while."""

from whence.db.migrations.sql import run_sql_beside

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    run_sql_beside(__file__)
