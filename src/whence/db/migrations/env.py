"""Alembic environment of every tree: one connection, one transaction, one schema."""

from __future__ import annotations

from alembic import context

schema: str = context.config.attributes["schema"]
context.configure(
    connection=context.config.attributes["connection"],
    version_table="schema_version",
    version_table_schema=schema,
    transaction_per_migration=False,
)
context.run_migrations()
