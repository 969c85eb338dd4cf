"""Functions that act with their owner's rights: few, each for a reason, and none can be misled."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from whence.db.app_role import APP_ROLE

REASONS = {
    "password_salt": "the salt of an account, before anybody is known",
    "verify_password": "answers whoever gives the digest of the password",
    "replace_password": "answers whoever gives the digest of the present password",
    "organizations_of": "the organizations of a fellow member",
    "owners_with_password": "which owners of the organization worked for have a password",
    "audit_account": "writes a line in the log of every organization of an account",
    "spend_password_link": "answers whoever holds the link",
    "audit_dead_link": "writes a line in the log, for whoever holds a link that was used",
    "password_link_of": "answers whoever holds the link",
    "known_device": "answers whoever holds the session's secret",
    "signing_key": "the key that signs access tokens",
    "signing_secret": "a key by its id, to check an access token",
    "accept_invitation": "answers whoever holds the invitation",
    "forget_tries": "removes counters that no longer slow anybody down",
    "prune_checkpoints": "removes what is due, and tells only how many",
    "prune_events": "removes what is due, and tells only how many",
    "prune_sign_ins": "removes what is due, and tells only how many",
    "erase_rows": "removes rows of its organization, for an erasure begun in the transaction",
    "erase_checkpoints": "removes those of its runs, for such an erasure",
    "erase_files": "removes its files that no row names, for such an erasure",
    "erase_audit": "empties lines of its audit log, for such an erasure",
    "erase_account": "removes a member whom such an erasure names",
    "prune_files": "removes files that no row names, and tells their digests",
    "prune_wizards": "removes what is due, and tells only how many",
    "prune_jobs": "removes what is due, and tells only how many",
    "prune_tool_calls": "removes what is due, and tells only how many",
    "prune_model_calls": "removes what is due, and tells only how many",
    "prune_model_exchanges": "removes what is due, and tells only how many",
    "prune_turn_contexts": "removes what is due, and tells only how many",
    "prune_import_files": "removes the files of imports that ended, and tells only how many",
    "prune_audit_log": "removes what is due and 30 days old, and tells only how many",
    "prune_import_rows": "removes what is due of imports that ended, and tells only how many",
    "analyze_grown": "takes the planner's statistics of tenants' tables, and tells nothing",
    "cancel_requests_due": "ids of work that is to be cancelled, and no word of it",
    "figures": "counts that name no organization",
    "schema_revision": "the revision of the schema",
    "open_followings": "ids of runs whose outcome a conversation waits for, and no word of either",
    "unindexed": "organizations and kinds whose index is due, and no word of a record",
    "due_schedules": "ids of schedules whose time has come, and no word of them",
    "undeclared_schedules": "organizations that lack what a pack declares",
    "overdue_turns": "ids of conversations whose writer is gone, and no word of them",
}
"""Every function that may look past row-level security, and what keeps it narrow."""
_FUNCTIONS = """
    SELECT p.proname, p.proconfig, has_function_privilege('public', p.oid, 'EXECUTE'),
        n.nspname
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')
"""


@pytest.fixture
def functions(database_url: str) -> Iterator[list[tuple[str, list[str] | None, bool, str]]]:
    with psycopg.connect(database_url) as admin:
        yield admin.execute(_FUNCTIONS).fetchall()


def test_each_of_them_is_known_with_its_reason(functions: list[tuple[str, ...]]) -> None:
    assert {name for name, *_ in functions} == set(REASONS)
    assert {schema for *_, schema in functions} == {"whence"}


def test_none_finds_its_tables_by_a_path_that_the_caller_chose(
    functions: list[tuple[str, list[str] | None, bool, str]],
) -> None:
    fixed = "search_path=pg_catalog, pg_temp"
    assert [name for name, path, *_ in functions if path != [fixed]] == []


def test_nobody_but_the_application_may_call_them(
    functions: list[tuple[str, list[str] | None, bool, str]],
) -> None:
    assert [name for name, _, by_all, _ in functions if by_all] == []


@pytest.mark.parametrize("table", ["passwords", "password_links", "signing_keys"])
def test_the_application_reads_no_secret_from_its_table(database_url: str, table: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute(f"SET ROLE {APP_ROLE}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"SELECT * FROM whence.{table}".encode())
