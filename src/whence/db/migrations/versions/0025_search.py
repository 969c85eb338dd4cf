"""One inverted index for all text that is searched."""

from whence.db.migrations.sql import run_sql_beside

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_sql_beside(__file__)
