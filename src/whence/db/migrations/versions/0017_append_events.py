"""Several events of one stream are appended together, and their readers woken once."""

from whence.db.migrations.sql import run_sql_beside

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    run_sql_beside(__file__)
