"""The photographs: what was read on each, and what could not be read."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, sentence, shortened
from whence.packs.resale.flows.dossier_schema import ItemDossier, PhotoView
from whence.packs.resale.flows.state import AI_ANALYSIS, PHOTO
from whence.sdk.chat import ByEvidence, ByRecord, Citation, RecordView, Statement, Topic

from .missing import hint_statements

SHOWN_LINES = 6
"""Lines of text repeated for a photograph: a label, not a page."""


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Barcodes and text of each photograph, then what a model saw, if one was used."""
    if not body.photos:
        statements = [
            Statement("The research had no photographs to look at.", (*DOSSIER, ByRecord("media")))
        ]
        return statements + [
            e for hint in body.missing if hint.field == "media" for e in hint_statements(hint)
        ]
    carriers = {each.evidence.title: each for each in view.evidence if each.judgement.role == PHOTO}
    statements: list[Statement] = []
    for photo in body.photos:
        carrier = carriers.get(photo.name)
        by: tuple[Citation, ...] = (ByEvidence(carrier.evidence.id),) if carrier else DOSSIER
        statements += _read(photo, by)
    if body.seen and body.seen.features:
        words = f"{body.seen.method} saw: {', '.join(body.seen.features)}"
        statements.append(Statement(sentence(words), analysis(view)))
    return statements


def analysis(view: RecordView) -> tuple[Citation, ...]:
    """A citation of what a model saw; of the research as a whole where it is not evidence yet."""
    keys = [e.evidence.id for e in view.evidence if e.judgement.role == AI_ANALYSIS]
    return (ByEvidence(keys[-1]),) if keys else DOSSIER


def _read(photo: PhotoView, by: tuple[Citation, ...]) -> list[Statement]:
    statements: list[Statement] = []
    if photo.barcodes:
        words = f"{photo.name} shows the barcode {', '.join(photo.barcodes)}."
        statements.append(Statement(words, by))
    if photo.text:
        lines = shortened("; ".join(photo.text[:SHOWN_LINES]))
        statements.append(Statement(f"On {photo.name} stands: “{lines}”.", by))
    if photo.problem:
        statements.append(Statement(sentence(f"{photo.name}: {photo.problem}"), DOSSIER))
    if not statements:
        statements.append(Statement(f"Nothing could be read on {photo.name}.", DOSSIER))
    return statements


TOPIC = Topic(
    name="photographs",
    title="photographs, and what was read on them",
    words=(
        r"\b(?:photo(?:graph)?s?|pictures?|pics?|images?)\b",
        r"\b(?:label|sticker|serial|printed|written on)\b",
        r"\b(?:ocr|scan(?:ned)?)\b",
        r"\bwhat (?:can|could|did|do) you (?:see|read)\b",
    ),
    answer=from_dossier(compose),
    example="What did you read on the photographs?",
)
