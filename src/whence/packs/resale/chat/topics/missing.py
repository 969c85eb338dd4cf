"""Missing information, the most important first, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, each_sentence, from_dossier
from whence.packs.resale.chat.editable import EDITABLE
from whence.packs.resale.flows.dossier_schema import HintView, ItemDossier
from whence.sdk.chat import RecordView, Statement, Topic

from .price import no_price


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Why there is no price, if there is none; then each missing item as a question."""
    statements = [] if body.price else no_price(body)
    if not body.missing:
        words = "Nothing is known to be missing that would move the price."
        return [*statements, Statement(words, DOSSIER)]
    return statements + [each for hint in body.missing for each in hint_statements(hint)]


def hint_statements(hint: HintView) -> list[Statement]:
    """What to answer or add, how much it matters, and why."""
    sentences = each_sentence(f"{hint.importance} ({_called(hint.field)}): {hint.why}", DOSSIER)
    return [*sentences, Statement(hint.question)] if hint.question else sentences


def _called(field: str) -> str:
    """The name people use for a hint's field."""
    words = {each.field: each.words[0] for each in EDITABLE}
    return {**words, "comps": "a recent sale", "media": "photographs"}.get(field, field)


TOPIC = Topic(
    name="missing",
    title="what is missing, and what would settle it",
    words=(
        r"\b(?:missing|lacking|lacks?|incomplete|unknown|unclear|uncertain|unsure)\b",
        r"\b(?:settle|improve|narrow|sharpen)\b|\bmore (?:certain|sure|confident|precise|exact)\b",
        r"\b(?:else|more) (?:do|would|should|can|could) (?:you|i)\b|\bwhat else\b",
        r"\b(?:should|can|could|must) i (?:add|provide|tell|answer|photograph|fill)\b",
        r"\b(?:need|needs|needed) (?:to know|from me|more)\b|\bopen questions?\b",
        r"\bhelp(?:s|ful)? (?:you|the|most|to)\b",
    ),
    answer=from_dossier(compose),
    example="What is missing?",
)
