"""Lanes: candidate versions of a flow beside the primary one."""

from whence.db.migrations.sql import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql_beside(__file__)
