"""What each answer of a conversation was written from."""

from whence.db.migrations.sql import run_sql_beside

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    run_sql_beside(__file__)
