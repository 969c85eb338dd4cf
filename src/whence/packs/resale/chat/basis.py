"""The basis of every answer: the typed dossier, citations of sentences, and honest endings."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from pydantic import ValidationError

from whence.packs.resale.flows.dossier_schema import SCHEMA_VERSION, ItemDossier
from whence.packs.resale.records import Item
from whence.sdk.chat import ByClaim, ByRun, Citation, RecordView, Statement
from whence.sdk.chat import one_sentence as sentence
from whence.sdk.text import sentences

Compose = Callable[[RecordView, ItemDossier, str], Sequence[Statement]]
Answer = Callable[[RecordView, str], Sequence[Statement]]

_STOP = re.compile(r"[.!?…]+(?=\s)")
DOSSIER: tuple[Citation, ...] = (ByRun(),)
"""A citation of the research as a whole: what it counted, could not settle, or could not do."""
MAX_WORDS = 500
"""Characters of a failed model's or source's message."""
SHOWN_DESCRIPTION = 240
"""Characters of the owner's description repeated in an answer."""


def from_dossier(compose: Compose) -> Answer:
    """An answer that needs a dossier; without one there is none, and the chat offers research."""

    def answer(view: RecordView, question: str) -> Sequence[Statement]:
        if view.dossier is None:
            return ()
        body = body_of(view)
        return OTHER_FORM if body is None else [*compose(view, body, question), *fallbacks(body)]

    return answer


NOT_SUPPORTED = "What the dossier says here does not follow from its evidence: do not rely on it."
OTHER_FORM = (
    Statement("The dossier was written in a form that I cannot read any more."),
    Statement("Shall I research the item again?"),
)


def body_of(view: RecordView) -> ItemDossier | None:
    """The dossier's body; None without a dossier, or if it has an outdated form."""
    dossier = view.dossier
    if dossier is None or dossier.schema_version != SCHEMA_VERSION:
        return None
    try:
        return ItemDossier.model_validate(dossier.body)
    except ValidationError:
        return None


def researched_at(view: RecordView) -> datetime | None:
    """When sources were asked: a price computed again for other listings is as old as those."""
    body = body_of(view)
    return datetime.fromisoformat(body.as_of) if body else None


def item_of(view: RecordView) -> Item:
    """The typed record."""
    record = view.record
    assert isinstance(record, Item)
    return record


def fallbacks(body: ItemDossier) -> list[Statement]:
    """Where a rule replaced a model; the engine itself reports other limits of a dossier."""
    return [
        Statement(f"A fallback was used: {shortened(words, MAX_WORDS)}.", DOSSIER)
        for words in body.fallbacks
    ]


def claimed(view: RecordView, path: str, text: str | None = None) -> list[Statement]:
    """A claim as a sentence (by default in its own words); none if there is no claim.

    A claim that its evidence does not support is reported as such, never as a fact.
    """
    claim = view.claim(path)
    if claim is None:
        return []
    if claim.verdict == "unsupported":
        return [Statement(NOT_SUPPORTED, (ByClaim(path),))]
    return [Statement(text or claim.statement, (ByClaim(path),))]


def is_supported(view: RecordView, path: str) -> bool:
    """Whether there is a supported claim at this path."""
    claim = view.claim(path)
    return claim is not None and claim.verdict == "supported"


def amount(value: float, currency: str) -> str:
    """An amount in the form of claims: `159.38 USD`."""
    return f"{value:.2f} {currency}"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def each_sentence(text: str, by: tuple[Citation, ...]) -> list[Statement]:
    """Text of the dossier, sentence by sentence, each with its own citation."""
    return [Statement(sentence(part), by) for part in sentences(text)]


def uncapitalized(text: str) -> str:
    """A sentence to go on with: without its full stop; a currency stays as it is written."""
    words = text.rstrip(".")
    return words if words[:3].isupper() else f"{words[:1].lower()}{words[1:]}"


def shortened(text: str, most: int = SHOWN_DESCRIPTION) -> str:
    """One line without full stops, cut between words: a quotation is part of its sentence."""
    line = _STOP.sub(" /", " ".join(text.split()))
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"
