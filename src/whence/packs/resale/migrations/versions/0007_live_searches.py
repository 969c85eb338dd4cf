"""The live searches of conversations are counted by day."""

from whence.sdk.migrations import run_sql_beside

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_sql_beside(__file__)
