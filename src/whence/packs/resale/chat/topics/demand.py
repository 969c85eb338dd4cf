"""How well it sells: sell-through, days to sell, and competing listings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from whence.packs.resale.chat.basis import DOSSIER, claimed, from_dossier, is_supported, sentence
from whence.packs.resale.flows.dossier_schema import ItemDossier, SignalView
from whence.packs.resale.pricing.demand import LEAST_OUTCOMES
from whence.sdk.chat import ByClaim, RecordView, Statement, Topic

_LEAD = {
    "days_to_sell": "Time to sell",
    "sell_through": "Sell-through",
    "active_competition": "Competition",
    "season": "Season",
}


_ON_OFFER = (
    r"\bhow many (?!days|weeks|months)(?:\w+ ){0,4}(?:selling|sell|offering|offered|listed|listing|"
    r"for sale|on offer|out there|on the market|available)\b"
)
"""Asks only how many are on offer."""
_HOW_STRONG = re.compile(
    r"\b(?:low|lower|high|higher|good|bad|poor|strong|weak|slow|weird|hot|popular|sought|in demand|"
    r"much demand|any demand|demand for)\b",
    re.I,
)
NO_YARDSTICK = (
    "Whether that is low or high I cannot say: I know no yardstick for the demand of such items."
)


def compose(view: RecordView, body: ItemDossier, question: str) -> Sequence[Statement]:
    """Each signal with its claim; one without a value is reported as unknown."""
    order = list(_LEAD)
    leading = [signal for signal in body.demand if signal.name in _LEAD]
    if re.search(_ON_OFFER, question, re.I):
        leading = [signal for signal in leading if signal.name == "active_competition"]
    signals = sorted(leading, key=lambda signal: order.index(signal.name))
    if not signals:
        return [Statement("The research produced no demand figures.", DOSSIER)]
    statements = [each for signal in signals for each in _signal_statements(view, signal)]
    is_judged = _HOW_STRONG.search(question) is not None and len(signals) > 1
    return [Statement(NO_YARDSTICK), *statements] if is_judged else statements


def _signal_statements(view: RecordView, signal: SignalView) -> list[Statement]:
    path = f"demand.{signal.name}"
    lead = _LEAD[signal.name]
    if signal.value is None or view.claim(path) is None:
        return [Statement(sentence(f"{lead}: {_lower(signal.words)}"), DOSSIER)]
    statements = claimed(view, path, sentence(f"{lead}: {_lower(signal.words)}"))
    if is_supported(view, path) and signal.n < LEAST_OUTCOMES:
        statements.append(
            Statement(
                "This is based on very few listings, so treat it as a hint.", (ByClaim(path),)
            )
        )
    return statements


def _lower(words: str) -> str:
    return f"{words[:1].lower()}{words[1:]}"


TOPIC = Topic(
    name="demand",
    title="demand and days to sell",
    words=(
        r"\b(?:demand|popular|sought|in demand|hot)\b",
        r"\bhow (?:long|fast|quick(?:ly)?|soon|well|often)\b|\bhow many (?:days|weeks)\b",
        r"\b(?:days|weeks|time|long|quickly|fast|soon) (?:to|until|before|would it|will it)\b",
        r"\b(?:will|would|does|do|can) (?:it|they|this|these|one) (?:still )?(?:sell|go|move)\b",
        r"\bsell[- ]?through\b",
        r"\b(?:competition|competitors?|competing|others? (?:sell|offer)\w*)\b|\bon offer\b",
        r"\b(?:market|sales rate|slow|sits?)\b|\bhow many (?:of them|are|others|were sold|sold)\b",
    ),
    answer=from_dossier(compose),
    example="How long will it take to sell?",
    decides=(_ON_OFFER,),
)
