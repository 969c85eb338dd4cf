"""What an import changed is stored field by field, and can be undone."""

from whence.db.migrations.sql import run_sql_beside

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    run_sql_beside(__file__)
