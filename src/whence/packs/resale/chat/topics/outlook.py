"""What nobody can know: future prices, who will buy it, and what its earlier owners did."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, body_of, claimed, from_dossier, sentence
from whence.packs.resale.flows.dossier_schema import ItemDossier
from whence.sdk.chat import ByClaim, RecordView, Statement, Topic

from .price import PATHS
from .stated import OF_ITS_OWNERS, UNKNOWN, in_its_own_words

_VALUE = r"(?:prices?|worth|value|market|it|this|they|these)"
_LATER = (
    r"(?:next (?:week|month|year|summer|winter|spring|fall|autumn|season|christmas)|tomorrow|later|"
    r"in (?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"the (?:future|summer|winter|spring|fall|autumn|new year))|(?:at|by|before|after|for|over) "
    r"(?:christmas|easter|xmas|the holidays|black friday|summer|winter|spring)|"
    r"in (?:an?|\d+|two|three|six|a few|some) (?:weeks?|months?|years?))"
)
_MOVES = r"(?:go(?:es|ing)? (?:up|down)|rise|fall|drop|increase|decrease|climb|crash|hold|change)"
_COSTS = r"(?:worth|cost|sell for|prices?|go for|get)"
_PRICES = (
    rf"\b(?:will|would|is|are|gonna|do you think|does)\b.*\b{_VALUE}\b.*\b{_MOVES}\b",
    rf"\b(?:will|would|gonna|going to)\b.*\b{_COSTS}\b.*\b{_LATER}\b",
    r"\b(?:will|would)\b.*\bbe worth (?:more|less)\b",
    r"\bshould (?:i|we) (?:wait|hold(?: on| off)?)\b",
)
_BUYER = (
    r"\bwho(?:'s| is| will| would| might)?\b.*\b(?:buy|buys|pay|pays|want|wants|bought|took it)\b"
    r"|\b(?:name|address|number) of the buyer\b|\bbuyer'?s (?:name|address|number)\b"
)
_BOUGHT = re.compile(r"\bbought\b|\btook it\b|\bof the buyer\b|\bbuyer'?s\b", re.IGNORECASE)


def answer(view: RecordView, question: str) -> Sequence[Statement]:
    """That it cannot be known, and what the research knows instead."""
    if re.search(_BUYER, question, re.I):
        tense = "bought it: the record has no buyers" if _BOUGHT.search(question) else "will buy it"
        return [Statement(f"I cannot know who {tense}.")]
    if any(re.search(each, question, re.I) for each in OF_ITS_OWNERS):
        return in_its_own_words(view, question) or UNKNOWN
    lead = (
        "I cannot know what prices will do: the research has only sales and offers up to its day."
    )
    if view.dossier is None:
        return [Statement(lead)]
    return [Statement(lead, DOSSIER if body_of(view) else ()), *_known(view, question)]


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """The season in which such items sell, if one is known, and the target of today."""
    path = "demand.season"
    seasons = [each.words for each in body.demand if each.name == "season" and each.value]
    statements = [
        Statement(sentence(words), (ByClaim(path),)) for words in seasons if view.claim(path)
    ]
    return [*statements, *claimed(view, PATHS["target"])]


_known = from_dossier(compose)
TOPIC = Topic(
    name="outlook",
    title="what cannot be known, such as next month's price",
    words=(*_PRICES, _BUYER, *OF_ITS_OWNERS),
    answer=answer,
    example="Will the price go up next month?",
    decides=(*_PRICES, _BUYER, *OF_ITS_OWNERS),
)
