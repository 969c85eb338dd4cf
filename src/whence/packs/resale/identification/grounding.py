"""Keeps only those parts of a model's naming that occur in its input: nothing is invented."""

from __future__ import annotations

import re

from .records import ProductIdentification, ProductLook
from .rules import identify
from .spelling import compact, spelling

UNGROUNDED = 0.5
"""Maximum confidence of a naming with a part that is not in the evidence."""
_WORD = re.compile(r"[^\W_](?:[\w.+&'’/-]*[^\W_])?")
_JOINING = frozenset({"a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "with"})
"""Words that name nothing, which a title may add."""


def ground(named: ProductIdentification, look: ProductLook) -> ProductIdentification:
    """The naming without values that are not in the input; the reason lists what was left out.

    A title and a variant fall back to the record's. If a catalogue names the item's own GTIN, the
    rules' answer is used: it is a fact.
    """
    ruled = identify(look)
    if ruled.gtin and any(entry.gtin == ruled.gtin for entry in look.catalogue):
        return ruled
    text = _evidence(look)
    shown = compact(text)
    dropped = [
        name
        for name in ("brand", "model", "mpn")
        if (value := getattr(named, name)) and compact(value) not in shown
    ]
    changes: dict[str, object] = {name: None for name in dropped}  # noqa: C420 (typed values)
    if named.gtin and named.gtin != ruled.gtin:  # rules know which code is certainly its own
        if named.gtin not in look.gtins:
            dropped.append("gtin")
        changes["gtin"] = ruled.gtin
    codes = [other for other in ruled.alternatives if other.attribute == "gtin"]
    if codes:
        changes["alternatives"] = [
            *(other for other in named.alternatives if other.attribute != "gtin"),
            *codes,
        ]
    if not _is_written(named.title, text):
        dropped.append("title")
        changes["title"] = ruled.title
    kept = {name: value for name, value in named.variant.items() if _is_written(value, text)}
    if kept != named.variant:
        dropped += [f"variant {name}" for name in named.variant if name not in kept]
        stated = {name.lower() for name in kept}
        added = {k: v for k, v in ruled.variant.items() if k.lower() not in stated}
        changes["variant"] = {**kept, **added}
    if dropped:
        changes["confidence"] = min(named.confidence, UNGROUNDED)
        words = ", ".join(dropped)
        changes["reason"] = f"{named.reason} (left out, as it stands in no evidence: {words})"
    return named.model_copy(update=changes)


def _evidence(look: ProductLook) -> str:
    return "\n".join(
        [
            look.title,
            look.description,
            *(value for value in (look.brand, look.model, look.mpn, look.category) if value),
            *look.attributes.values(),
            *look.printed,
            *(f"{e.title} {e.brand} {e.model} {e.mpn}" for e in look.catalogue),
        ]
    )


def _is_written(value: str, text: str) -> bool:
    """Whether every word of a value stands in the text; a plural may stand for its singular."""
    named = [word for word in _WORD.findall(value) if word.lower() not in _JOINING]
    return bool(named) and all(_occurs(word, text) for word in named)


def _occurs(word: str, text: str) -> bool:
    forms = {word, f"{word}s", f"{word}es", word.removesuffix("s"), word.removesuffix("es")}
    return any(spelling(form).search(text) for form in forms if form)
