"""Other reasons, closed business, a job that ends, and one designated person in 12 months."""

from whence.sdk.migrations import run_sql_beside

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql_beside(__file__)
