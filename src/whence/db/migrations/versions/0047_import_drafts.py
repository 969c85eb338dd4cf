"""Imports that wait for a person to look at them, and the columns chosen for them."""

from whence.db.migrations.sql import run_sql_beside

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    run_sql_beside(__file__)
