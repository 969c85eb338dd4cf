"""What an item cost its owner, and what sending it costs: both are part of what a sale leaves."""

from whence.sdk.migrations import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql_beside(__file__)
