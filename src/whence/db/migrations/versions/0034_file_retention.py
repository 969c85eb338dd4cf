"""Files that no row names are removed also where the owner is no superuser."""

from whence.db.migrations.sql import run_sql_beside

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    run_sql_beside(__file__)
