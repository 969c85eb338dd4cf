"""What an organization says of itself, for whoever answers in its name."""

from whence.db.migrations.sql import run_sql_beside

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    run_sql_beside(__file__)
