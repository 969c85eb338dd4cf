"""An erasure takes what names the erased record out of a job's saved state, and leaves the rest."""

from whence.db.migrations.sql import run_sql_beside

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    run_sql_beside(__file__)
