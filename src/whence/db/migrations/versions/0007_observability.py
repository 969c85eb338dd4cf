"""Figures for whoever operates the installation, without any tenant's data."""

from whence.db.migrations.sql import run_sql_beside

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_sql_beside(__file__)
