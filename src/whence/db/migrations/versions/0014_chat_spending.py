"""What conversations have spent on models, each of them and all of them in a day."""

from whence.db.migrations.sql import run_sql_beside

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    run_sql_beside(__file__)
