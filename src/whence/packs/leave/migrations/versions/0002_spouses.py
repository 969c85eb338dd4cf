"""What a shared limit of spouses depends on."""

from whence.sdk.migrations import run_sql_beside

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql_beside(__file__)
