"""The content of files in pieces, so that none is ever one value of the database."""

from whence.db.migrations.sql import run_sql_beside

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    run_sql_beside(__file__)
