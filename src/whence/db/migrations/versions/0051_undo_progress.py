"""How far the undo of an import is."""

from whence.db.migrations.sql import run_sql_beside

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    run_sql_beside(__file__)
