"""Lines of the call logs are removed after a while, those of the audit log where that is set."""

from whence.db.migrations.sql import run_sql_beside

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    run_sql_beside(__file__)
