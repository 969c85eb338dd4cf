"""A record shows whether research of it is on."""

from whence.db.migrations.sql import run_sql_beside

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    run_sql_beside(__file__)
