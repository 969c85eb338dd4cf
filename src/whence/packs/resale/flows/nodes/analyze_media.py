"""Reads the photographs: barcodes, printed text and, with a vision model, visible features."""

from __future__ import annotations

import asyncio
from uuid import UUID

from whence.packs.resale.flows.state import AI_ANALYSIS, PHOTO, PhotoReport, ResearchState, Update
from whence.packs.resale.perception.photographs import MAX_IMAGES
from whence.packs.resale.perception.reader import PhotographText
from whence.packs.resale.photographs import PhotoFetcher, Photograph, fetched, stored
from whence.packs.resale.readings import PhotographReadings
from whence.packs.resale.records import Media
from whence.packs.resale.skills.look_at_photos import (
    CONDITION_BEST,
    PhotoFindings,
    PhotoLook,
    look_at_photos,
)
from whence.sdk.evidence import Finding, Judgement
from whence.sdk.records import Files
from whence.sdk.research import RunContext, node
from whence.sdk.skills import ImagePart

from .load_context import load_item

MAX_LINES = 30
"""Lines of text to keep per photograph: more is a page, not a label."""


@node(title="Look at the photographs")
async def analyze_media(state: ResearchState, run: RunContext) -> Update:
    """Adds the findings of each photograph; an unreadable one is reported, and the others still
    count."""
    item = await load_item(run)
    media = item.media[:MAX_IMAGES]
    photos = await _photographs(run, media)
    readable = [(photo, photo.content) for photo in photos if photo.content is not None]
    reports = [_unreadable(photo) for photo in photos if photo.content is None]
    if not readable:
        return {"photos": reports, "seen": {}}
    contents = [content for _, content in readable]
    readings = await run.service(PhotographReadings).of(run, contents)
    seen_reports = [
        report_of(photo.name, reading)
        for (photo, _), reading in zip(readable, readings, strict=True)
    ]
    await _keep(run, [photo.source_id for photo, _ in readable], seen_reports)
    if len(item.media) > MAX_IMAGES:
        reports.append(
            PhotoReport(
                name=f"{len(item.media) - MAX_IMAGES} more",
                barcodes=[],
                text=[],
                problem=f"only the first {MAX_IMAGES} photographs are looked at",
            )
        )
    seen, fallbacks = await _vision(run, item.title, contents)
    return {
        "photos": [*seen_reports, *reports],
        "seen": seen,
        "fallbacks": [*state["fallbacks"], *fallbacks],
    }


async def _photographs(run: RunContext, media: list[Media]) -> list[Photograph]:
    """Reads the stored photographs with one query and fetches web addresses in parallel."""
    near: list[Photograph | None] = [None for _ in media]
    if any(each.stored for each in media):
        async with run.unit() as session:
            near = [await stored(run.service(Files), session, each) for each in media]
    fetcher = run.service(PhotoFetcher)
    far = await asyncio.gather(
        *(fetched(each, fetcher) for each, photo in zip(media, near, strict=True) if not photo)
    )
    rest = iter(far)
    return [photo or next(rest) for photo in near]


async def _vision(
    run: RunContext, title: str, contents: list[bytes]
) -> tuple[dict[str, object], list[str]]:
    if not look_at_photos.has_model:
        return {}, []
    reader = run.service(PhotographReadings).reader
    previews = [await reader.preview(content) for content in contents]
    images = [ImagePart(media_type="image/jpeg", data=each) for each in previews if each]
    outcome = await look_at_photos.run(PhotoLook(title=title, images=images))
    if outcome.outcome in ("ok", "repaired"):
        seen: dict[str, object] = {
            **outcome.value.model_dump(mode="json"),
            "method": outcome.method,
        }
        await _keep_analysis(run, outcome.value, outcome.method)
        return seen, []
    if outcome.outcome == "fallback":
        return {}, [f"photographs were not judged: the vision model failed ({outcome.reason})"]
    return {}, []


async def _keep_analysis(run: RunContext, seen: PhotoFindings, method: str) -> None:
    finding = analysis_finding(str(run.attempt.subject_id), seen, method)
    [key] = await run.keep([finding])
    reason = f"{method} looked at the photographs; nobody has confirmed it"
    await run.judge([Judgement(key, AI_ANALYSIS, included=bool(finding.content), reason=reason)])


def analysis_finding(subject_id: str, seen: PhotoFindings, method: str) -> Finding:
    """What a model saw on the photographs, as evidence."""
    lines = [
        ("Category", seen.category),
        ("Brand", seen.brand),
        ("Model", seen.model),
        ("Condition", f"{seen.condition} of {CONDITION_BEST}" if seen.condition else None),
        ("Condition notes", seen.condition_notes),
        ("Completeness", seen.completeness),
        *(("Feature", feature) for feature in seen.features),
    ]
    return Finding(
        source=AI_ANALYSIS,
        source_id=f"{subject_id}:photographs",
        title="What a model saw on the photographs",
        content="\n".join(f"{name}: {value}" for name, value in lines if value),
        data={**seen.model_dump(mode="json"), "method": method},
    )


def report_of(name: str, reading: PhotographText) -> PhotoReport:
    """The findings of a photograph."""
    return PhotoReport(
        name=name,
        barcodes=reading.barcodes,
        text=reading.text[:MAX_LINES],
        problem=reading.problem,
    )


def _unreadable(photo: Photograph) -> PhotoReport:
    return PhotoReport(name=photo.name, barcodes=[], text=[], problem=photo.problem)


async def _keep(run: RunContext, names: list[str], reports: list[PhotoReport]) -> None:
    pairs = zip(names, reports, strict=True)
    ids = await run.keep([photo_finding(name, report) for name, report in pairs])
    await run.judge([photo_judgement(*pair) for pair in zip(ids, reports, strict=True)])


def photo_finding(source_id: str, report: PhotoReport) -> Finding:
    """The text on a photograph, as evidence."""
    return Finding(
        source="photo",
        source_id=source_id,
        title=report["name"],
        content="\n".join([*report["barcodes"], *report["text"]]),
        data={"barcodes": report["barcodes"], "lines": report["text"]},
    )


def photo_judgement(key: UUID, report: PhotoReport) -> Judgement:
    """Included if anything could be read on it."""
    counts = len(report["barcodes"]), len(report["text"])
    reason = f"{counts[0]} barcodes and {counts[1]} lines of text were read on it"
    return Judgement(key, PHOTO, included=any(counts), reason=reason)
