"""What was sent to models and what they answered."""

from whence.db.migrations.sql import run_sql_beside

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    run_sql_beside(__file__)
