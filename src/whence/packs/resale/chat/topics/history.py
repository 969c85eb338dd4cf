"""How and when the item was researched: runs, searches, and sources that could not be asked."""

from __future__ import annotations

from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, from_dossier, listed, sentence
from whence.packs.resale.flows.dossier_schema import ItemDossier, SourceView
from whence.sdk.chat import RecordView, Statement, Topic, earlier_research, latest_research

SHOWN_QUERIES = 6


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The current research with its queries and sources, and earlier runs."""
    statements = latest_research(view)
    if body.queries:
        words = "; ".join(f"“{query}”" for query in body.queries[:SHOWN_QUERIES])
        statements.append(Statement(f"It searched for {words}.", DOSSIER))
    statements += [each for source in body.sources for each in _source_statements(source)]
    off = [source.title for source in body.sources if not source.available]
    if off:
        statements.append(
            Statement(f"Not asked, because they are not set up: {listed(off)}.", DOSSIER)
        )
    return [*statements, *earlier_research(view)]


def _source_statements(source: SourceView) -> list[Statement]:
    if not source.available:
        return []
    statements = [Statement(f"{source.title}: {source.found} listings were found there.", DOSSIER)]
    statements += [
        Statement(sentence(f"{source.title} failed: {error}"), DOSSIER) for error in source.errors
    ]
    if source.refused:
        words = f"Some rows of {source.title} could not be used: {source.refused[0]}"
        statements.append(Statement(sentence(words), DOSSIER))
    return statements


TOPIC = Topic(
    name="history",
    title="when and how it was researched",
    words=(
        r"\b(?:researched|research)\b",
        r"\b(?:last time|how old|up to date|recently|history)\b",
        (
            r"\bwhen (?:did|have|was|were) (?:you|we|(?:the|this|that|its|it) ?(?:last )?"
            r"(?:research|search|look|check|data|price|run)\w*)\b"
        ),
        r"\b(?:earlier|previous(?:ly)?) (?:\w+ )?(?:runs?|prices?|results?|time|targets?)\b",
        r"\b(?:search(?:ed)?|look(?:ed)? (?:for|at)|quer(?:y|ies))\b",
        r"\b(?:sources?|asked whom|databases?|catalogues?)\b",
        r"\b(?:found|find|findings|conclu(?:de|ded|sion|sions)|summary|summari[sz]e)\b",
    ),
    answer=from_dossier(compose),
    example="When was it last researched, and what was searched?",
)
