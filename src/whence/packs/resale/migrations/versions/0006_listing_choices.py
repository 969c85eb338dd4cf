"""An item keeps which listings its owner counts as comparables."""

from whence.sdk.migrations import run_sql_beside

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_sql_beside(__file__)
