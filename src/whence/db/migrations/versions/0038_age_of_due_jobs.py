"""The age of a waiting job counts from its time, also once the queue has made it ready."""

from whence.db.migrations.sql import run_sql_beside

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    run_sql_beside(__file__)
