"""What was asked for and is not known."""

from whence.sdk.migrations import run_sql_beside

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_sql_beside(__file__)
