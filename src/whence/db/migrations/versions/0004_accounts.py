"""Accounts: passwords, sessions, invitations, and the limits on guessing."""

from whence.db.migrations.sql import run_sql_beside

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_sql_beside(__file__)
