"""Listings are in the search index of the core; the next start indexes those that are there."""

from whence.sdk.migrations import run_sql_beside

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql_beside(__file__)
