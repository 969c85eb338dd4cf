"""A record shows whether research of it is on."""

from whence.db.migrations.sql import run_sql_beside

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    run_sql_beside(__file__)
