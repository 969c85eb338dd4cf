"""Files in pieces: kept once, read in part, and gone with the transaction that failed."""

from __future__ import annotations

import hashlib
import os
import tracemalloc
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from whence.kernel.clock import now
from whence.records.files.errors import DamagedFile, FileGone, FileTooLarge, NoRoom
from whence.records.files.files import Files, StoredFile
from whence.records.files.spool import NoSuchFile, Spool
from whence.records.files.store import CHUNK_BYTES

pytestmark = pytest.mark.anyio
TYPE = "application/octet-stream"


@pytest.fixture
def files(platform: Any) -> Files:
    return platform.files


@pytest.fixture
def org(platform: Any) -> UUID:
    return platform.owner.org_id


async def in_parts(content: bytes, size: int = 300_000) -> AsyncIterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]


async def keep(files: Files, org: UUID, content: bytes) -> StoredFile:
    async with files.spool.receive(in_parts(content)) as spooled, files.db.unit(org) as session:
        return await files.keep(session, spooled, TYPE)


async def read(files: Files, org: UUID, file: StoredFile, *span: int) -> bytes:
    return b"".join([part async for part in files.parts(org, file, *span)])


async def count(files: Files, org: UUID, table: str) -> int:
    async with files.db.unit(org) as session:
        return (await session.execute(text(f"SELECT count(*) FROM whence.{table}"))).scalar_one()


@pytest.mark.parametrize("size", [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES - 1])
async def test_a_file_is_read_as_it_was_sent(files: Files, org: UUID, size: int) -> None:
    content = os.urandom(size)
    file = await keep(files, org, content)
    assert (file.digest, file.size) == (hashlib.sha256(content).hexdigest(), size)
    assert await read(files, org, file) == content
    async with files.db.unit(org) as session:
        assert await files.find(session, file.digest) == file
        assert await files.read(session, file) == content
        widest = "SELECT max(octet_length(content)) FROM whence.file_chunks"
        assert ((await session.execute(text(widest))).scalar_one() or 0) <= CHUNK_BYTES


async def test_any_part_is_what_a_slice_of_the_whole_is(files: Files, org: UUID) -> None:
    content = os.urandom(2 * CHUNK_BYTES + 77)
    file = await keep(files, org, content)
    near = st.sampled_from([0, 1, CHUNK_BYTES, 2 * CHUNK_BYTES, len(content)])
    place = st.builds(lambda at, by: max(0, at + by), near, st.integers(-9, 9))

    cases: list[tuple[int, int]] = []

    @settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(place, place)
    def gather(start: int, end: int) -> None:
        cases.append((start, end))

    gather()
    for start, end in cases:
        assert await read(files, org, file, start, end) == content[start:end], (start, end)


async def test_the_same_content_twice_is_kept_once_in_each_organization(
    files: Files, org: UUID, new_principal: Any
) -> None:
    other = new_principal().org_id
    content = os.urandom(CHUNK_BYTES + 5)
    file = await keep(files, org, content)
    assert await keep(files, org, content) == file
    assert await count(files, org, "file_chunks") == 2
    async with files.db.unit(other) as session:
        assert await files.find(session, file.digest) is None
    with pytest.raises(FileGone):
        await read(files, other, file)
    await keep(files, other, content)
    assert await count(files, other, "file_chunks") == 2


async def test_what_is_rolled_back_leaves_nothing(files: Files, org: UUID) -> None:
    async with files.spool.receive(in_parts(b"gone")) as spooled, files.db.unit(org) as session:
        await files.keep(session, spooled, TYPE)
        await session.rollback()
    assert await count(files, org, "files") == await count(files, org, "file_chunks") == 0


async def test_a_large_file_passes_through_without_being_held_in_memory(
    files: Files, org: UUID
) -> None:
    piece = os.urandom(CHUNK_BYTES)

    async def forty() -> AsyncIterator[bytes]:
        for number in range(40):
            yield number.to_bytes(4) + piece[4:]

    async with files.spool.receive(forty()) as spooled, files.db.unit(org) as session:
        tracemalloc.start()
        file = await files.keep(session, spooled, TYPE)
        kept_peak = tracemalloc.get_traced_memory()[1]
    total = 0
    async for part in files.parts(org, file):
        total += len(part)
    read_peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == file.size == 40 * CHUNK_BYTES
    assert max(kept_peak, read_peak) < 12 * CHUNK_BYTES


async def test_beyond_the_limit_nothing_is_taken_and_room_is_given_back(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "uploads", max_bytes=1000)
    async with spool.receive(in_parts(b"x" * 1000, 300)) as spooled:
        assert spooled.size == spool.held == 1000
    with pytest.raises(FileTooLarge, match="larger than 1000 bytes"):
        async with spool.receive(in_parts(b"x" * 1001, 300)):
            pass
    with pytest.raises(FileTooLarge, match="larger than 10 bytes"):
        async with spool.receive(in_parts(b"x" * 11, 300), limit=10):
            pass
    assert spool.held == 0
    assert list((tmp_path / "uploads").iterdir()) == []


async def test_more_at_once_than_there_is_room_for_is_told_to_wait(tmp_path: Path) -> None:
    spool = Spool(tmp_path, max_bytes=100)
    spool.held = 4 * 100
    with pytest.raises(NoRoom):
        async with spool.receive(in_parts(b"x")):
            pass
    assert spool.held == 4 * 100


async def test_a_local_file_is_kept_as_it_is(files: Files, org: UUID, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n1,2\n")
    async with files.spool.copy(path) as spooled, files.db.unit(org) as session:
        file = await files.keep(session, spooled, "text/csv")
    async with files.opened(org, file) as opened:
        assert opened.readline() == b"a,b\n"
        opened.seek(0)
        assert opened.read() == b"a,b\n1,2\n"
    with pytest.raises(NoSuchFile, match=r"'nothing\.csv'"):
        async with files.spool.copy(tmp_path / "nothing.csv"):
            pass


async def test_a_content_that_is_not_what_was_stored_is_not_handed_out(
    files: Files, org: UUID, database_url: str
) -> None:
    file = await keep(files, org, b"as it was")
    with psycopg.connect(database_url) as admin:
        admin.execute("UPDATE whence.file_chunks SET content = 'as it is.'")
    with pytest.raises(DamagedFile):
        async with files.opened(org, file):
            pass
    async with files.db.unit(org) as session:
        with pytest.raises(DamagedFile):
            await files.read(session, file)


async def test_a_file_that_no_row_names_is_removed_and_one_that_is_named_stays(
    files: Files, org: UUID, database_url: str
) -> None:
    named, orphan = await keep(files, org, b"named"), await keep(files, org, b"orphan")
    with psycopg.connect(database_url) as admin:
        admin.execute(
            "CREATE TABLE resale.holders (org_id uuid, file text,"
            " FOREIGN KEY (org_id, file) REFERENCES whence.files)"
        )
        admin.execute("INSERT INTO resale.holders VALUES (%s, %s)", (org, named.digest))
    assert await files.prune_unnamed(now() - timedelta(days=1), 100) == 0
    assert await files.prune_unnamed(now() + timedelta(minutes=1), 100) == 1
    async with files.db.unit(org) as session:
        assert await files.find(session, orphan.digest) is None
        assert await files.find(session, named.digest) == named
    assert await count(files, org, "file_chunks") == 1
