"""How an organization writes dates and money; the whole audit log, read by time."""

from whence.db.migrations.sql import run_sql_beside

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    run_sql_beside(__file__)
