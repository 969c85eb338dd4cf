"""Tables that have grown are analyzed by whoever writes many rows to them."""

from whence.db.migrations.sql import run_sql_beside

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    run_sql_beside(__file__)
