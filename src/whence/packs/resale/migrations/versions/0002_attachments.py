"""Photographs that are kept become attachments; `media` keeps the web addresses."""

from whence.sdk.migrations import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql_beside(__file__)
