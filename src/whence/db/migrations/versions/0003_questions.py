"""Runs that ask a person, act with the rights they were asked with, and count failures apart."""

from whence.db.migrations.sql import run_sql_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql_beside(__file__)
