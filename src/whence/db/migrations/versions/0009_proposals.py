"""Changes that an agent suggests and a person applies, once."""

from whence.db.migrations.sql import run_sql_beside

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    run_sql_beside(__file__)
