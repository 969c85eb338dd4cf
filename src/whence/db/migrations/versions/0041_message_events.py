"""Events of messages are flat, and an answer that begins has an event of its own."""

from whence.db.migrations.sql import run_sql_beside

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    run_sql_beside(__file__)
