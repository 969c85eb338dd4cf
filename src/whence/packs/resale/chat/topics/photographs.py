"""Its photographs: what was read on each, and what could not be."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, sentence, shortened
from whence.packs.resale.flows.dossier_schema import ItemDossier, PhotoView
from whence.packs.resale.flows.state import PHOTO
from whence.sdk.chat import ByEvidence, ByRecord, Citation, RecordView, Statement, Topic

from .missing import asked

SHOWN_LINES = 6
"""Lines of text repeated for a photograph: a label, not a page."""


def tell(look: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Barcodes and text of each photograph, then what was seen by a model, where one looked."""
    if not body.photos:
        said = [
            Statement("The research had no photographs to look at.", (*DOSSIER, ByRecord("media")))
        ]
        return said + [e for hint in body.missing if hint.field == "media" for e in asked(hint)]
    carriers = {each.evidence.title: each for each in look.evidence if each.judgement.role == PHOTO}
    said: list[Statement] = []
    for photo in body.photos:
        found = carriers.get(photo.name)
        by: tuple[Citation, ...] = (ByEvidence(found.evidence.id),) if found else DOSSIER
        said += _read(photo, by)
    if body.seen and body.seen.features:
        words = f"{body.seen.method} saw: {', '.join(body.seen.features)}"
        said.append(Statement(sentence(words), DOSSIER))
    return said


def _read(photo: PhotoView, by: tuple[Citation, ...]) -> list[Statement]:
    said: list[Statement] = []
    if photo.barcodes:
        words = f"{photo.name} shows the barcode {', '.join(photo.barcodes)}."
        said.append(Statement(words, by))
    if photo.text:
        lines = shortened("; ".join(photo.text[:SHOWN_LINES]))
        said.append(Statement(f"On {photo.name} stands: “{lines}”.", by))
    if photo.problem:
        said.append(Statement(sentence(f"{photo.name}: {photo.problem}"), DOSSIER))
    if not said:
        said.append(Statement(f"Nothing could be read on {photo.name}.", DOSSIER))
    return said


TOPIC = Topic(
    name="photographs",
    title="photographs, and what was read on them",
    words=(
        r"\b(?:photo(?:graph)?s?|pictures?|pics?|images?)\b",
        r"\b(?:label|sticker|serial|printed|written on)\b",
        r"\b(?:ocr|scan(?:ned)?)\b",
        r"\bwhat (?:can|could|did|do) you (?:see|read)\b",
    ),
    answer=from_dossier(tell),
    example="What did you read on the photographs?",
)
