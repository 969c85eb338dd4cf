"""Lists of records: pages under any order, typed filters, counts, and lists over a relation."""

from __future__ import annotations

import random
from datetime import date
from typing import Any
from uuid import UUID

import pytest
from pydantic import ValidationError

from whence.kernel.errors import Invalid
from whence.records import listing, store
from whence.records.sorting import sorts_of

pytestmark = pytest.mark.anyio
MOODS = (None, "praise", "doubt")
DAYS = (None, date(2026, 1, 1), date(2026, 1, 2), date(2026, 3, 1))


async def _note(platform: Any, title: str, external_id: str | None = None) -> UUID:
    kind = platform.kind("notes")
    async with platform.unit(platform.owner) as session:
        record = kind.record(title=title)
        return (await store.create(session, platform.owner, kind, record, external_id)).id


async def _remark(platform: Any, **fields: Any) -> UUID:
    kind = platform.kind("remarks")
    async with platform.unit(platform.owner) as session:
        row = await store.create(session, platform.owner, kind, kind.record(**fields))
        return row.id


async def _page(platform: Any, **filters: Any) -> listing.Page:
    kind = platform.kind("remarks")
    query = listing.list_query(kind).model_validate(filters)
    async with platform.unit(platform.owner) as session:
        return await listing.page(session, kind, query)


async def _texts(platform: Any, **filters: Any) -> list[str]:
    rows: list[Any] = (await _page(platform, **filters)).rows
    return [row.text for row in rows]


@pytest.fixture
async def many(platform: Any) -> dict[UUID, Any]:
    """Forty remarks with many ties and empty values, in no order."""
    draw = random.Random(4)
    note = str(await _note(platform, "One"))
    made: dict[UUID, Any] = {}
    for _ in range(40):
        fields = {
            "text": draw.choice(("a", "B", "b", "ä", "c d")),
            "note_id": note,
            "mood": draw.choice(MOODS),
            "stars": draw.choice((None, 1, 2, 3)),
            "made_on": draw.choice(DAYS),
        }
        made[await _remark(platform, **fields)] = fields
    return made


async def test_pages_under_any_order_hold_every_record_once(
    platform: Any, many: dict[UUID, Any]
) -> None:
    for sort in sorts_of(platform.kind("remarks")):
        for limit in (1, 7, 39, 40):
            ids: list[UUID] = []
            cursor: str | None = None
            while True:
                page = await _page(platform, sort=sort, limit=limit, cursor=cursor)
                ids += [row.id for row in page.rows]
                if (cursor := page.next_cursor) is None:
                    break
            assert len(ids) == len(many), (sort, limit)
            assert set(ids) == set(many), (sort, limit)


async def test_an_order_is_kept_within_and_between_pages_and_empty_values_come_last(
    platform: Any, many: dict[UUID, Any]
) -> None:
    for sort, backwards in (("stars", False), ("-stars", True)):
        rows: list[Any] = (await _page(platform, sort=sort, limit=100)).rows
        stars = [row.stars for row in rows]
        known = sorted((s for s in stars if s is not None), reverse=backwards)
        assert stars == [*known, *[None] * stars.count(None)]
        assert len(set(known)) > 1


async def test_text_is_sorted_without_regard_to_capitals(platform: Any) -> None:
    note = await _note(platform, "One")
    for text in ("b", "A", "a", "C"):
        await _remark(platform, text=text, note_id=note)
    assert [text.lower() for text in await _texts(platform, sort="text")] == ["a", "a", "b", "c"]


async def test_a_cursor_of_another_order_or_of_nobody_is_refused(
    platform: Any, many: dict[UUID, Any]
) -> None:
    cursor = (await _page(platform, sort="stars", limit=3)).next_cursor
    for wrong in (cursor, "x", "bm9uc2Vuc2U=", "é", "WzEsMiwzXQ==", "W10=", "e30="):
        with pytest.raises(Invalid, match="cursor"):
            await _page(platform, sort="-stars", cursor=wrong)


async def test_a_filter_takes_several_values_a_range_or_only_what_is_empty(
    platform: Any, many: dict[UUID, Any]
) -> None:
    def expected(meets: Any) -> set[UUID]:
        result = {key for key, fields in many.items() if meets(fields)}
        assert 0 < len(result) < len(many)
        return result

    cases: list[tuple[dict[str, Any], Any]] = [
        ({"mood": ["praise"]}, lambda f: f["mood"] == "praise"),
        ({"stars": ["1", "3"]}, lambda f: f["stars"] in (1, 3)),
        ({"stars.min": "2"}, lambda f: (f["stars"] or 0) >= 2),
        ({"stars.min": "2", "stars.max": "2"}, lambda f: f["stars"] == 2),
        ({"stars.max": 1.0}, lambda f: f["stars"] == 1),
        ({"madeOn.min": "2026-01-02"}, lambda f: (f["made_on"] or DAYS[1]) >= date(2026, 1, 2)),
        ({"madeOn": ["2026-01-01"]}, lambda f: f["made_on"] == date(2026, 1, 1)),
        ({"mood.missing": "true"}, lambda f: f["mood"] is None),
        ({"mood.missing": "false", "stars.missing": True}, lambda f: f["mood"] and not f["stars"]),
    ]
    for request, meets in cases:
        page = await _page(platform, limit=100, **request)
        assert {row.id for row in page.rows} == expected(meets), request


@pytest.mark.parametrize(
    "filters",
    [
        {"stars.min": "many"},
        {"madeOn.max": "2026-02-30"},
        {"mood": ["joy"]},
        {"mood.missing": "perhaps"},
        {"text": ["a"]},
        {"text.min": "a"},
        {"mood.min": "a"},
        {"sort": "mood"},
        {"note.text": ["a"]},
    ],
)
async def test_a_filter_that_there_is_not_or_that_does_not_parse_is_refused(
    platform: Any, filters: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError):
        listing.list_query(platform.kind("remarks")).model_validate(filters)


async def test_a_list_is_narrowed_by_the_record_it_refers_to_and_by_that_record_s_fields(
    platform: Any,
) -> None:
    first, second = await _note(platform, "First", "n-1"), await _note(platform, "Second")
    await _remark(platform, text="on the first", note_id="n-1")
    await _remark(platform, text="on the second", note_id=second, quoted_id=first)
    assert await _texts(platform, note=["n-1"]) == ["on the first"]
    assert await _texts(platform, note=[str(second)]) == ["on the second"]
    assert len(await _texts(platform, note=["n-1", str(second)])) == 2
    assert await _texts(platform, **{"note.title": ["Second"]}) == ["on the second"]
    assert await _texts(platform, **{"quoted.title": ["First"]}) == ["on the second"]
    assert await _texts(platform, **{"quoted.missing": "true"}) == ["on the first"]
    with pytest.raises(Invalid, match="There is no note 'n-2'"):
        await _texts(platform, note=["n-2"])


async def test_counts_are_taken_under_the_same_filters(
    platform: Any, many: dict[UUID, Any]
) -> None:
    kind = platform.kind("remarks")
    query = listing.count_query(kind).model_validate({"stars.min": 2, "by": ["mood", "note"]})
    async with platform.unit(platform.owner) as session:
        counts = await listing.counts(session, kind, query)
    meant = [fields["mood"] for fields in many.values() if (fields["stars"] or 0) >= 2]
    assert counts.total == len(meant)
    assert {each.value: each.count for each in counts.by["mood"]} == {
        mood: meant.count(mood) for mood in MOODS
    }
    numbers = [each.count for each in counts.by["mood"]]
    assert numbers == sorted(numbers, reverse=True)
    [of_note] = counts.by["note"]
    assert (of_note.title, of_note.count) == ("One", len(meant))
