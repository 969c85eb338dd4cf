"""Runs have a type and parameters; dossiers say whether they tell the whole."""

from whence.db.migrations.sql import run_sql_beside

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    run_sql_beside(__file__)
