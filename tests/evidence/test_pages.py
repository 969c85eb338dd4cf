"""Evidence is read a page at a time, findings have ids of a bearable length, drafts stay quick."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from whence.db import statements
from whence.evidence import store
from whence.evidence.records import Cite, ClaimDraft, DossierDraft, Finding, Judgement
from whence.kernel.ids import new_id

pytestmark = pytest.mark.anyio

FOUND = Finding("web", "0", "Found", "some text", {})


async def test_pages_are_those_of_the_whole_bundle(platform: Any, new_run: Any) -> None:
    run_id = new_run()
    findings = [replace(FOUND, source_id=f"{number % 7}") for number in range(25)]
    findings = [replace(each, title=f"{number}") for number, each in enumerate(findings)]
    async with platform.unit(platform.owner) as session:
        ids = await store.keep(session, findings)
        judged = [
            Judgement(each, "web", n % 3 > 0, "found", (n % 4) / 4 if n % 5 else None)
            for n, each in enumerate(ids)
        ]
        await store.judge(session, run_id, judged)
        whole = await store.bundle(session, run_id)
        for included in (None, True, False):
            wanted = [one for one in whole if included in (None, one.judgement.included)]
            pages = [
                await store.page(session, run_id, included=included, start=start, limit=4)
                for start in range(0, 28, 4)
            ]
            assert [one for page in pages for one in page] == wanted


async def test_a_page_reads_no_row_beyond_its_own(
    platform: Any, new_run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle has thousands of contents, and a page shows twenty."""
    run_id, read = new_run(), Counter[str]()
    rows, bundled = statements.rows, store._bundled

    async def counted_rows(*arguments: Any) -> list[Any]:
        answer = await rows(*arguments)
        read["rows"] += len(answer)
        return answer

    def counted(row: Any) -> Any:
        read["contents"] += 1
        return bundled(row)

    async with platform.unit(platform.owner) as session:
        ids = await store.keep(session, [replace(FOUND, source_id=f"{n}") for n in range(9)])
        await store.judge(session, run_id, [Judgement(each, "web", True, "found") for each in ids])
        monkeypatch.setattr(statements, "rows", counted_rows)
        monkeypatch.setattr(store, "_bundled", counted)
        await store.page(session, run_id, included=None, start=2, limit=4)
    assert read == {"rows": 4, "contents": 4}


async def test_another_organization_s_pages_are_empty(
    platform: Any, new_run: Any, new_principal: Any
) -> None:
    run_id = new_run()
    async with platform.unit(platform.owner) as session:
        [evidence_id] = await store.keep(session, [FOUND])
        await store.judge(session, run_id, [Judgement(evidence_id, "web", True, "found")])
    async with platform.unit(new_principal()) as session:
        assert await store.page(session, run_id, included=None, start=0, limit=9) == []


@pytest.mark.parametrize("letter", ["x", "ä"])
async def test_a_source_id_that_no_index_could_hold_is_refused(platform: Any, letter: str) -> None:
    most = store.MAX_SOURCE_ID_BYTES // len(letter.encode())
    longest = replace(FOUND, source="s" * store.MAX_SOURCE_BYTES, source_id=letter * most)
    async with platform.unit(platform.owner) as session:
        assert len(await store.keep(session, [longest])) == 1
        with pytest.raises(store.SourceIdTooLong, match="longer than 2,000 bytes"):
            await store.keep(session, [replace(longest, source_id=letter * (most + 1))])
        with pytest.raises(store.SourceIdTooLong, match="longer than 200 bytes"):
            await store.keep(session, [replace(FOUND, source="s" * 201)])


class CountedPath(str):
    """A path that counts how often it is compared."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        CountedPath.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_a_draft_compares_no_claim_with_all_others() -> None:
    cites = (Cite(new_id()),)
    paths = [CountedPath(f"claims/{number}") for number in range(4_000)]
    claims = tuple(ClaimDraft(path, "s", 1, 1.0, "rules:x@1", cites) for path in paths)
    CountedPath.comparisons = 0
    DossierDraft(1, "s", {}, claims)
    assert CountedPath.comparisons < 2 * len(claims)
