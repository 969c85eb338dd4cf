"""The glossary has every word that the code is written in."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import pytest

WORDS = {
    "organization": "whence.tenancy.local:local_owner",
    "principal": "whence.tenancy.principal:Principal",
    "role": "whence.tenancy.principal:Role",
    "scopes": "whence.tenancy.principal:Scope",
    "member": "whence.tenancy.accounts:Member",
    "invitation": "whence.tenancy.invitations:Invitation",
    "session": "whence.tenancy.sessions:Session",
    "access token": "whence.tenancy.access:Claims",
    "refresh secret": "whence.tenancy.refreshing:Refresh",
    "API token": "whence.tenancy.tokens:Token",
    "operator": "whence.tenancy.operator:create",
    "pack": "whence.sdk:Pack",
    "subject": "whence.sdk.records:SubjectKind",
    "flow": "whence.sdk.research:Flow",
    "node": "whence.research.steps:step",
    "run": "whence.research.tables:Run",
    "job": "whence.transports.routes.job_view:Job",
    "attempt": "whence.research.attempt:Attempt",
    "evidence": "whence.sdk.evidence:EvidenceRecord",
    "bundle": "whence.evidence.store:bundle",
    "dossier": "whence.evidence.dossiers:Dossier",
    "lane": "whence.evidence.dossiers:Lane",
    "claim": "whence.sdk.evidence:ClaimDraft",
    "verdict": "whence.evidence.records:Verdict",
    "skill": "whence.sdk.skills:skill",
    "tool": "whence.sdk.tools:tool",
    "event log": "whence.events.log:append",
    "budget": "whence.llm.budget:Budget",
    "conversation": "whence.chat.transcript.tables:ChatSession",
    "turn": "whence.chat.turns.turn:Turn",
    "proposal": "whence.chat.proposals.tables:ProposalRow",
    "page": "whence.chat.pages.page:Page",
    "context": "whence.chat.turns.turn_subject:PAGE_CONTEXT",
    "wizard": "whence.wizards.definition:Wizard",
    "step payload": "whence.wizards.payload:StepPayload",
    "source": "whence.packs.resale.sources.base:Source",
    "item": "whence.packs.resale.records:Item",
    "listing": "whence.packs.resale.records:Listing",
    "comp": "whence.packs.resale.pricing.comps:Comp",
    "relevance": "whence.packs.resale.matching.scorer:Relevance",
    "floor, target, ceiling": "whence.packs.resale.pricing.bands:PriceBands",
    "hint": "whence.packs.resale.pricing.hints:Hint",
    "GTIN": "whence.packs.resale.records:Gtin",
    "library": "whence.packs.resale.library.source:Library",
    "leave request": "whence.packs.leave.records:LeaveRequest",
}


@pytest.fixture(scope="module")
def words(page: Callable[[str], Any]) -> set[str]:
    return set(re.findall(r"\*\*(.+?)\*\*", page("docs/glossary.md").text))


@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_code_is_explained(word: str, words: set[str]) -> None:
    module, _, name = WORDS[word].partition(":")

    assert hasattr(importlib.import_module(module), name)
    assert word in words
