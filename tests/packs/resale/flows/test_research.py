"""Research of items of all kinds, with a library and without."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import text

from whence.kernel.errors import NotReady
from whence.kernel.fetch import Fetcher, Reach
from whence.packs.resale.perception.reader import PhotographReader, PhotographText
from whence.packs.resale.photographs import PhotoFetcher
from whence.packs.resale.thresholds import MAX_ITERATIONS

pytestmark = pytest.mark.anyio

LAMP = "Corvane Lumen L3 desk lamp"


def listings(folder: Path, rows: list[tuple[str, str, str, float]], currency: str = "USD") -> Path:
    """A file of (id, title, status, price), listed 30 and closed 10 days ago."""
    path = folder / "listings.csv"
    days = [datetime.now(UTC) - timedelta(days=ago) for ago in (30, 10)]
    with path.open("w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["id", "title", "status", "price", "currency", "condition", "listed", "sold"])
        for key, title, status, price in rows:
            closed = "" if status == "active" else days[1].isoformat()
            out.writerow([key, title, status, price, currency, "good", days[0].isoformat(), closed])
    return path


def lamps(count: int = 8) -> list[tuple[str, str, str, float]]:
    return [(f"L{n}", f"{LAMP} black", "sold", 50.0 + n) for n in range(count)]


async def test_named_reasons_keep_what_is_no_such_thing_out(desk: Any, tmp_path: Path) -> None:
    odd = {
        "lot": (f"Lot of 5 {LAMP}", "several at once"),
        "bundle": (f"{LAMP} bundle with 2 accessories", "sold together with other things"),
        "parts": (f"{LAMP} for parts", "broken, or a part of the thing"),
        "box": (f"{LAMP} empty box", "packaging without the thing"),
        "digital": (f"{LAMP} PDF manual digital download", "a picture or a file, not the thing"),
        "replica": (f"{LAMP} replica", "an imitation"),
        "variant": (f"{LAMP} white", "another colour: black wanted, white offered"),
    }
    rows = lamps(6) + [(key, title, "sold", 9.0) for key, (title, _) in odd.items()]
    await desk.imported("listings", listings(tmp_path, rows))
    item = await desk.item(title=f"{LAMP} black", brand="Corvane", model="L3", condition="good")
    research = await desk.research(item)
    for key, (_, words) in odd.items():
        assert not research.comps[key]["included"]
        assert words in research.comps[key]["reason"]
    assert research.body["price"], research.comps
    assert research.body["price"]["target"]["amount"] > 40


async def test_an_item_with_nothing_to_go_on_is_told_what_would_settle_it(desk: Any) -> None:
    research = await desk.research(await desk.item(title="Old thing from the attic"))
    assert research.ended["status"] == "success"
    assert research.body["price"] is None
    assert research.body["notEnough"]["reason"]
    assert research.body["notEnough"]["wouldSettle"]
    assert research.claims("price") == []
    assert research.body["marketplaces"] == []
    assert any(hint["question"] for hint in research.body["missing"])


async def test_a_refinement_asks_only_what_was_not_asked_and_ends(desk: Any) -> None:
    item = await desk.item(title="Corvane desk lamp, brass", brand="Corvane", category="Lamps")
    research = await desk.research(item)
    queries = research.body["queries"]
    refined = research.nodes.count("refine_search")
    assert 0 < refined < MAX_ITERATIONS
    assert research.body["iterations"] == refined + 1
    assert len({frozenset(query.lower().split()) for query in queries}) == len(queries)
    assert len(queries) > 2 * refined, "every refinement asks something new"


async def test_a_search_without_new_words_is_not_made(desk: Any) -> None:
    research = await desk.research(await desk.item(title="x"))
    assert research.body["queries"] == ["x"]
    assert "refine_search" not in research.nodes


async def test_an_undecided_variant_is_searched_for_value_by_value(
    desk: Any, tmp_path: Path
) -> None:
    rows = [
        (f"{colour}{n}", f"{LAMP} {colour}", "active", price + n)
        for colour, price in (("black", 40.0), ("white", 90.0))
        for n in range(3)
    ]
    await desk.imported("listings", listings(tmp_path, rows))
    research = await desk.research(await desk.item(title=LAMP, brand="Corvane", model="L3"))
    assert any(hint["field"] == "attributes.colour" for hint in research.body["missing"])
    queries = " | ".join(research.body["queries"]).lower()
    assert "black" in queries
    assert "white" in queries


async def test_the_limits_of_refinement_are_settings(
    open_desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WHENCE_RESALE_MAX_SEARCHES", "1")
    monkeypatch.setenv("WHENCE_RESALE_QUERIES_PER_SEARCH", "1")
    desk = await open_desk()
    research = await desk.research(
        await desk.item(title="Corvane desk lamp, brass", brand="Corvane", category="Lamps")
    )
    assert (research.body["iterations"], len(research.body["queries"])) == (1, 1)


async def test_scoring_again_replaces_a_judgement_and_adds_none(desk: Any, tmp_path: Path) -> None:
    await desk.imported("listings", listings(tmp_path, lamps(2)))
    item = await desk.item(title=f"{LAMP}, brass", brand="Corvane", category="Lamps")
    research = await desk.research(item)
    assert research.nodes.count("analyze_comps") > 1
    assert sorted(research.comps) == ["L0", "L1"]
    assert len([e for e in research.evidence if e["role"] == "comp"]) == 2
    assert all("not scored" not in comp["reason"] for comp in research.comps.values())


async def test_comparables_in_another_currency_set_no_price(desk: Any, tmp_path: Path) -> None:
    await desk.imported("listings", listings(tmp_path, lamps()))
    research = await desk.research(
        await desk.item(title=f"{LAMP} black", currency="EUR", condition="good")
    )
    assert research.body["comps"]["included"] > 0
    assert research.body["price"] is None
    assert research.claims("price") == []
    assert research.claims("marketplaces") == []


async def test_the_review_state_and_the_history_follow_the_research(
    desk: Any, tmp_path: Path
) -> None:
    await desk.imported("listings", listings(tmp_path, lamps()))
    items = tmp_path / "items.csv"
    items.write_text(f"id,title,condition\nA-1,{LAMP},good\n", encoding="utf-8")
    await desk.imported("items", items)
    assert (await desk.shown("A-1"))["aiReviewState"] == "none"
    first = await desk.research("A-1")
    assert (await desk.shown("A-1"))["aiReviewState"] == "needs_review"
    second = await desk.research("A-1")
    jobs = [first.dossier["jobId"], second.dossier["jobId"]]
    assert await desk.history("A-1") == [(True, jobs[1]), (False, jobs[0])]
    await desk.imported("items", items)
    assert (await desk.shown("A-1"))["aiReviewState"] == "needs_review"


async def test_the_same_question_gives_the_same_answer(desk: Any, tmp_path: Path) -> None:
    await desk.imported("listings", listings(tmp_path, lamps()))
    item = await desk.item(title=f"{LAMP} black", condition="good")
    one, other = await desk.research(item), await desk.research(item)
    amounts = [
        [run.body["price"][name]["amount"] for name in ("floor", "target", "ceiling")]
        for run in (one, other)
    ]
    assert amounts[0] == pytest.approx(amounts[1], rel=1e-3)


async def test_a_title_without_a_letter_cannot_be_researched(desk: Any) -> None:
    item = await desk.item(title="--- !!! ---")
    with pytest.raises(NotReady, match="not ready for research"):
        await desk.research(item)


async def test_a_used_up_budget_leaves_a_partial_dossier_that_says_what_was_not_done(
    open_desk: Any,
) -> None:
    desk = await open_desk(budget_seconds=1e-6)
    research = await desk.research(await desk.item(title=LAMP))
    assert research.ended["status"] == "success"
    assert research.dossier["isPartial"] is True
    assert "no price was calculated" in research.body["notDone"]
    assert "the product was not identified" in research.body["notDone"]
    assert "The run has worked for" in research.body["notDone"][0]
    assert research.claims("price") == []


async def test_a_broken_photograph_is_told_and_fails_nothing(desk: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 not a picture")
    gone = {"url": "gone.jpg", "stored": "0" * 64 + ".jpg"}
    research = await desk.research(
        await desk.item(title=LAMP, media=[await desk.stored(broken), gone])
    )
    assert research.ended["status"] == "success"
    problems = {photo["name"]: photo["problem"] for photo in research.body["photos"]}
    assert problems["broken.jpg"]
    assert "add the photograph again" in problems["gone.jpg"]


async def test_only_the_first_four_photographs_are_looked_at(desk: Any, tmp_path: Path) -> None:
    media = []
    for n in range(6):
        photo = tmp_path / f"{n}.png"
        Image.new("RGB", (40, 40), (n * 40, 0, 0)).save(photo)
        media.append(await desk.stored(photo))
    research = await desk.research(await desk.item(title=LAMP, media=media))
    assert len(research.body["photos"]) == 5
    assert "only the first 4" in research.body["photos"][-1]["problem"]


async def test_a_photograph_is_read_once_and_again_by_a_newer_reader(
    desk: Any, sample_photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    read = PhotographReader.read

    async def counted(self: PhotographReader, content: bytes) -> PhotographText:
        reads.append(len(content))
        return await read(self, content)

    monkeypatch.setattr(PhotographReader, "read", counted)
    item = await desk.item(title=LAMP, media=[await desk.stored(sample_photos / "back.jpg")])
    first, again = await desk.research(item), await desk.research(item)
    assert len(reads) == 1
    assert again.body["photos"] == first.body["photos"]
    assert again.body["photos"][0]["barcodes"]
    monkeypatch.setattr("whence.packs.resale.readings.READER_VERSION", "next")
    await desk.research(item)
    assert len(reads) == 2


async def test_what_was_read_on_a_photograph_is_erased_with_the_item(
    desk: Any, sample_photos: Path
) -> None:
    item = await desk.item(title=LAMP, media=[await desk.stored(sample_photos / "back.jpg")])
    await desk.research(item)
    query = text("SELECT count(*) FROM resale.photo_readings")
    async with desk.platform.unit(desk.platform.owner) as session:
        assert await session.scalar(query) == 1
    platform = desk.platform
    await platform.eraser.erase(platform.owner, "items", str(item), "asked for")
    async with desk.platform.unit(desk.platform.owner) as session:
        assert await session.scalar(query) == 0


async def test_a_photograph_is_fetched_once_by_its_address(
    open_desk: Any, outside: Any, sample_photo: bytes, wanted_gtin: str
) -> None:
    outside.answer("/label.jpg", sample_photo, kind="jpeg")

    def reachable(platform: Any) -> list[Any]:
        reach = Reach().with_hosts(outside.base, allow_private=True)
        fetcher = platform.setup.fetcher.within(reach)
        return [PhotoFetcher(fetcher, platform.settings.home / "cache")]

    desk = await open_desk(reachable)
    item = await desk.item(title="Headphones", media=[{"url": f"{outside.base}/label.jpg"}])
    for _ in range(2):
        research = await desk.research(item)
        assert research.body["photos"][0]["barcodes"] == [wanted_gtin]
    assert len(outside.queries("/label.jpg")) == 1


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "../../etc/passwd", "/etc/passwd", "http://127.0.0.1:1/x.jpg"]
)
async def test_an_address_that_is_not_public_reads_nothing(desk: Any, url: str) -> None:
    research = await desk.research(await desk.item(title=LAMP, media=[{"url": url}]))
    [photo] = research.body["photos"]
    assert photo["problem"]
    assert photo["text"] == []


async def test_a_fetcher_for_public_hosts_is_the_default(platform: Any) -> None:
    fetcher: Fetcher = platform.services.get(PhotoFetcher).fetcher
    assert fetcher.reach == Reach()
