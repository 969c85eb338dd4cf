"""Followings beyond the first thousand are found too."""

from whence.db.migrations.sql import run_sql_beside

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    run_sql_beside(__file__)
