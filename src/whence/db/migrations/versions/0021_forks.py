"""Several nodes of a run work at once: their steps, their time, and how far the run is."""

from whence.db.migrations.sql import run_sql_beside

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    run_sql_beside(__file__)
