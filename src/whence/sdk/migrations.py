"""For packs' migrations; `SELECT whence.protect('<schema>.<table>')` closes a tenant table."""

from whence.db.migrations.sql import run_sql_beside

__all__ = ["run_sql_beside"]
