"""How often each outside source was asked, a day, and since when it does not answer."""

from whence.db.migrations.sql import run_sql_beside

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    run_sql_beside(__file__)
