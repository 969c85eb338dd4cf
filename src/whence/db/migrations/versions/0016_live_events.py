"""Events of answers being written say under which numbers they stand."""

from whence.db.migrations.sql import run_sql_beside

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    run_sql_beside(__file__)
