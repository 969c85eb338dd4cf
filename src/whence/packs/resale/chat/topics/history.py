"""How and when it was researched: past runs, what was searched, and who could not be asked."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, listed, sentence
from whence.packs.resale.flows.dossier_schema import ItemDossier, SourceView
from whence.sdk.chat import RecordView, Statement, Topic, earlier_research, latest_research

SHOWN_QUERIES = 6


def tell(look: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The research that answers now, what it asked and whom, and the runs before it."""
    said = latest_research(look)
    if body.queries:
        words = "; ".join(f"“{query}”" for query in body.queries[:SHOWN_QUERIES])
        said.append(Statement(f"It searched for {words}.", DOSSIER))
    said += [each for source in body.sources for each in _asked(source)]
    off = [source.title for source in body.sources if not source.available]
    if off:
        said.append(Statement(f"Not asked, because they are not set up: {listed(off)}.", DOSSIER))
    return [*said, *earlier_research(look)]


def _asked(source: SourceView) -> list[Statement]:
    if not source.available:
        return []
    said = [Statement(f"{source.title}: {source.found} listings were found there.", DOSSIER)]
    said += [
        Statement(sentence(f"{source.title} failed: {error}"), DOSSIER) for error in source.errors
    ]
    if source.refused:
        words = f"Some rows of {source.title} could not be used: {source.refused[0]}"
        said.append(Statement(sentence(words), DOSSIER))
    return said


TOPIC = Topic(
    name="history",
    title="when and how it was researched",
    words=(
        r"\b(?:researched|research)\b",
        r"\b(?:when|last time|how old|up to date|recently|history)\b",
        r"\b(?:before|earlier|previous(?:ly)?)\b",
        r"\b(?:search(?:ed)?|look(?:ed)? (?:for|at)|quer(?:y|ies))\b",
        r"\b(?:sources?|asked whom|databases?|catalogues?)\b",
        r"\b(?:found|find|findings|conclu(?:de|ded|sion|sions)|summary|summari[sz]e)\b",
    ),
    answer=from_dossier(tell),
    example="When was it last researched, and what was searched?",
)
