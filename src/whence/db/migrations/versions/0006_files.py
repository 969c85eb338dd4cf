"""Files that belong to an organization, kept in the database by their content."""

from whence.db.migrations.sql import run_sql_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_sql_beside(__file__)
