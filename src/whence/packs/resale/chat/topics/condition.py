"""The item's condition: the owner's words, visible signs, and the effect on the price."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, item_of, sentence, shortened
from whence.packs.resale.flows.dossier_schema import ItemDossier, SeenView
from whence.packs.resale.records import Item
from whence.sdk.chat import ByClaim, ByRecord, RecordView, Statement, Topic
from whence.sdk.text import sentences

from .missing import hint_statements
from .photographs import analysis
from .price import PATHS


def answer(view: RecordView, question: str) -> Sequence[Statement]:
    """The owner's statement, even before any research, and what research adds."""
    return [*_stated(item_of(view)), *_researched(view, question)]


def _stated(item: Item) -> list[Statement]:
    """The record's condition and the owner's words."""
    if item.condition is None:
        statements = [Statement("The record does not state a condition.", (ByRecord("condition"),))]
    else:
        words = f"The record states the condition {item.condition.value.replace('_', ' ')}."
        statements = [Statement(words, (ByRecord("condition"),))]
    if item.description:
        words = f"The description says “{shortened(item.description).rstrip(' .')}”."
        statements.append(Statement(words, (ByRecord("description"),)))
    return statements


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Visible signs, and their effect on the price."""
    statements = _seen(view, body.seen)
    statements += _on_price(view)
    return statements + [
        each for hint in body.missing if hint.field == "condition" for each in hint_statements(hint)
    ]


def _seen(view: RecordView, seen: SeenView | None) -> list[Statement]:
    if seen is None:
        return [Statement("No model judged the condition from photographs.", DOSSIER)]
    by = analysis(view)
    statements: list[Statement] = []
    if seen.condition is not None:
        words = f"On the photographs, {seen.method} judged it {seen.condition} on a scale to 5"
        statements.append(Statement(sentence(f"{words}: a suggestion, not a finding"), by))
    if seen.condition_notes:
        statements.append(Statement(sentence(f"It noted: {seen.condition_notes}"), by))
    if seen.completeness:
        statements.append(
            Statement(sentence(f"Of its completeness it noted: {seen.completeness}"), by)
        )
    return statements


def _on_price(view: RecordView) -> list[Statement]:
    claim = view.claim(PATHS["target"])
    if claim is None or claim.verdict == "unsupported" or not claim.note:
        return []
    about = [part for part in sentences(claim.note) if "condition" in part]
    return [
        Statement(f"For the price, comparables count as follows: {part}", (ByClaim(claim.path),))
        for part in about
    ]


_researched = from_dossier(compose)
TOPIC = Topic(
    name="condition",
    title="condition",
    words=(
        r"\bcond(?:i)?tions?\b",
        r"\b(?:wear|worn|scratch(?:es|ed)?|dents?|damaged?|broken|cracked|stains?|defects?)\b",
        r"\b(?:shape|state) (?:is|of)\b|\bwhat (?:shape|state)\b",
        r"\b(?:like new|mint|refurbished|used or new|new or used)\b",
        r"\b(?:complete|completeness|accessories|box included)\b",
    ),
    answer=answer,
    example="What condition is it in?",
)
