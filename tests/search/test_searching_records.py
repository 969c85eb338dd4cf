"""Searching records by words: what is found, in which order, and that the index keeps up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from whence.kernel.errors import Invalid
from whence.records import listing, store
from whence.records.indexing import collection_of
from whence.records.upsert import upsert
from whence.search import index, query
from whence.search.rebuild import rebuild
from whence.search.words import slots, words

pytestmark = pytest.mark.anyio


async def _note(platform: Any, title: str, body: str = "") -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        row = await store.create(session, platform.owner, kind, kind.record(title=title, text=body))
        return row.id


async def _page(platform: Any, who: Any = None, **filters: Any) -> listing.Page:
    kind = platform.kind("notes")
    async with platform.unit(who or platform.owner) as session:
        return await listing.page(session, kind, listing.list_query(kind)(**filters))


async def _titles(platform: Any, search: str, **filters: Any) -> list[str]:
    rows: list[Any] = (await _page(platform, search=search, **filters)).rows
    return [row.title for row in rows]


@pytest.mark.parametrize(
    ("search", "titles"),
    [
        ("canon", {"Canon EOS 5D", "Canon QB-700, black"}),
        ("CANON black", {"Canon QB-700, black"}),
        ("blac", {"Canon QB-700, black"}),
        ("blac canon", set[str]()),
        ("canon bl", {"Canon QB-700, black"}),
        ("black ", {"Canon QB-700, black"}),
        ("blac ", set[str]()),
        ("qb700", {"Canon QB-700, black", "Nikon QB700"}),
        ("QB-700", {"Canon QB-700, black", "Nikon QB700"}),
        ("QB-7", {"Canon QB-700, black", "Nikon QB700"}),
        ("creme brulee", {"Crème brûlée"}),
        ("CRÈME", {"Crème brûlée"}),
        ("東京", {"東京タワー"}),
        ("京東", {"東京タワー"}),
        ("lodz", {"Plakat Łódź"}),
        ("ŁÓDŹ ", {"Plakat Łódź"}),
        ("strasse", {"Smørbrød, Straße 5"}),
        ("smorbrod", {"Smørbrød, Straße 5"}),
        ("zx900", {"Kettle ZX 900 R", "Toaster ZX900"}),
        ("zx900 ", {"Kettle ZX 900 R", "Toaster ZX900"}),
        ("zx900r", {"Kettle ZX 900 R"}),
        ("zx 900", {"Kettle ZX 900 R", "Toaster ZX900"}),
        ("zx-900 ", {"Kettle ZX 900 R", "Toaster ZX900"}),
        ("zx 900 toaster", {"Toaster ZX900"}),
        ("zx 90 ", set[str]()),
        ("x 900", set[str]()),
        ("900r kettle", {"Kettle ZX 900 R"}),
        ("900", {"Kettle ZX 900 R"}),
        ("%", set[str]()),
        ("nothing", set[str]()),
    ],
)
async def test_a_search_finds_records_that_hold_every_word_the_last_one_as_it_is_typed(
    platform: Any, search: str, titles: set[str]
) -> None:
    for title in (
        "Canon EOS 5D",
        "Canon QB-700, black",
        "Nikon QB700",
        "Crème brûlée",
        "東京タワー",
        "Plakat Łódź",
        "Smørbrød, Straße 5",
        "Kettle ZX 900 R",
        "Toaster ZX900",
    ):
        await _note(platform, title)
    assert set(await _titles(platform, search)) == titles


async def test_what_matches_best_comes_first_unless_another_order_is_asked_for(
    platform: Any,
) -> None:
    await _note(platform, "C camera", "camera and camera bag")
    await _note(platform, "A bag", "a long text in which a camera is named once among many others")
    await _note(platform, "B bag", "nothing of the kind")
    assert await _titles(platform, "camera") == ["C camera", "A bag"]
    assert await _titles(platform, "camera", sort="relevance") == ["C camera", "A bag"]
    assert await _titles(platform, "camera", sort="-createdAt") == ["A bag", "C camera"]


async def test_pages_of_a_search_hold_every_match_once_while_others_come_and_go(
    platform: Any,
) -> None:
    made = {await _note(platform, f"Camera {n % 3}", "lens " * (n % 4)) for n in range(20)}
    ids: list[UUID] = []
    cursor: str | None = None
    while True:
        page = await _page(platform, search="camera", limit=3, cursor=cursor)
        ids += [row.id for row in page.rows if row.id in made]
        await _note(platform, "Camera of another day")
        if (cursor := page.next_cursor) is None:
            break
    assert sorted(ids) == sorted(made)


async def test_the_cursor_of_another_search_is_refused(platform: Any) -> None:
    for _ in range(3):
        await _note(platform, "Camera bag")
    cursor = (await _page(platform, search="camera bag", limit=1)).next_cursor
    for request in (
        {"search": "camera"},
        {"search": ""},
        {"search": "camera bag", "sort": "createdAt"},
    ):
        with pytest.raises(Invalid, match="cursor"):
            await _page(platform, cursor=cursor, **request)


async def test_words_that_stand_everywhere_are_looked_up_in_what_the_others_found(
    platform: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query, "MOST_COUNTED", 3)
    for number in range(6):
        await _note(platform, f"Camera {number}", "black")
    assert await _titles(platform, "camera 4") == ["Camera 4"]
    assert await _titles(platform, "black camera 4") == ["Camera 4"]
    assert len(await _titles(platform, "black camera")) == 6
    assert await _titles(platform, "white camera 4") == []


async def test_the_index_follows_changes_imports_findings_and_deletions(platform: Any) -> None:
    kind, who, note = platform.kind("notes"), platform.owner, await _note(platform, "Camera")
    async with platform.unit(who) as session:
        await store.patch(session, who, kind, note, {"title": "Printer"}, None)
    assert (await _titles(platform, "camera"), await _titles(platform, "printer")) == (
        [],
        ["Printer"],
    )
    async with platform.unit(who) as session:
        await store.note_findings(session, who, kind, note, {"text": "laser"}, note)
    assert await _titles(platform, "laser printer") == ["Printer"]
    for title in ("Scanner", "Copier"):
        async with platform.unit(who) as session:
            await upsert(session, who, kind, "n-1", kind.record(title=title))
    assert (await _titles(platform, "scanner"), await _titles(platform, "copier")) == (
        [],
        ["Copier"],
    )
    async with platform.unit(who) as session:
        await platform.deletion.delete(session, who, kind, note)
    assert await _titles(platform, "printer") == []


async def test_counts_are_of_what_is_searched(platform: Any) -> None:
    kind = platform.kind("notes")
    for title in ("Camera", "Camera", "Printer"):
        await _note(platform, title)
    request = listing.count_query(kind)(search="camera", by=["title"])
    async with platform.unit(platform.owner) as session:
        counts = await listing.counts(session, kind, request)
    assert counts.total == 2
    assert [(each.value, each.count) for each in counts.by["title"]] == [("Camera", 2)]


async def test_another_organization_finds_nothing(platform: Any, new_principal: Any) -> None:
    await _note(platform, "Camera")
    assert (await _page(platform, new_principal(), search="camera")).rows == []


async def test_records_of_before_the_index_are_found_after_a_start(
    platform: Any, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "BATCH", 2)
    for number in range(5):
        await _note(platform, f"Camera {number}")
    with psycopg.connect(database_url) as connection:
        for name in ("postings", "documents", "definitions"):
            connection.execute(f"DELETE FROM whence.search_{name}")
    assert await _titles(platform, "camera") == []
    notes = [collection_of(platform.kind("notes"))]
    assert await rebuild(platform.db, notes) == 5
    assert len(await _titles(platform, "camera")) == 5
    assert await rebuild(platform.db, notes) == 0


async def test_a_kind_that_searches_other_columns_is_indexed_anew(platform: Any) -> None:
    await _note(platform, "Camera", "laser")
    by_title = collection_of(replace(platform.kind("notes"), search=("title",)))
    assert await rebuild(platform.db, [by_title]) == 1
    assert await _titles(platform, "laser") == []


@pytest.mark.parametrize("sign", ["x", "東", "x-"])
def test_a_text_without_spaces_is_read_once_however_long(sign: str) -> None:
    # Read anew from each of its letters, it would take longer than a test may.
    assert words(sign * 500_000)


@given(st.text(max_size=60))
def test_a_text_holds_every_word_of_itself(text: str) -> None:
    terms = words(text)
    for slot in slots(text):
        assert any(slot.matches(term) for term in terms), slot


@given(st.from_regex(r"[A-Za-z]{1,8} [0-9]{1,4}( [A-Za-z]{1,2})?", fullmatch=True))
def test_a_model_is_found_whether_it_is_written_apart_or_together(model: str) -> None:
    together = model.replace(" ", "")
    for written, sought in ((model, together), (together, model)):
        terms = words(written)
        assert all(any(slot.matches(term) for term in terms) for slot in slots(sought + " "))


def test_words_that_are_too_long_for_a_model_are_not_joined() -> None:
    """Else a text full of digests would have twice as many terms, and far longer ones."""
    digest = "c0ffee" * 6
    assert words(f"{digest}a 1{digest}") == [f"{digest}a", f"1{digest}"]
