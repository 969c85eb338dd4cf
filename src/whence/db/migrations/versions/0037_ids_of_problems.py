"""A line in an import's report keeps the id of its row, by which an erasure finds it."""

from whence.db.migrations.sql import run_sql_beside

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    run_sql_beside(__file__)
