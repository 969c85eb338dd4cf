"""The local owner: made at the first start, once, however many start at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg

from whence.tenancy.local import local_owner
from whence.tenancy.principal import SCOPES, Role


def test_the_owner_is_the_same_at_every_start(database_url: str) -> None:
    first = local_owner(database_url)
    assert first == local_owner(database_url)
    assert (first.role, first.scopes) == (Role.OWNER, SCOPES[Role.OWNER])


def test_many_first_starts_at_once_make_one_owner(database_url: str) -> None:
    tables = "whence.organizations, whence.users, whence.memberships"
    for _ in range(5):
        with psycopg.connect(database_url) as connection:
            connection.execute(f"TRUNCATE {tables} CASCADE".encode())
        with ThreadPoolExecutor(8) as pool:
            owners = set(pool.map(local_owner, [database_url] * 8))
        assert len(owners) == 1
        with psycopg.connect(database_url) as connection:
            for table in tables.split(", "):
                count = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
                assert count == (1,), table


def test_a_second_local_organization_is_impossible(database_url: str) -> None:
    local_owner(database_url)
    with psycopg.connect(database_url) as connection:
        try:
            connection.execute(
                "INSERT INTO whence.organizations (org_id, name, is_local)"
                " VALUES (gen_random_uuid(), 'second', true)"
            )
        except psycopg.errors.UniqueViolation:
            return
    raise AssertionError
