"""Identifies the product by rules: its GTIN first, then brand, model and variant in the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from whence.packs.resale.matching.profile import looks_like_code
from whence.packs.resale.matching.tokens import words
from whence.packs.resale.sources.base import CatalogueEntry
from whence.packs.resale.thresholds import WEAK_IDENTITY

from .codes_in_titles import codes_in
from .codes_on_photographs import catalogued, other_codes, settled
from .generations import with_generation
from .records import GTIN_CONFIDENCE, Alternative, ProductIdentification, ProductLook
from .spelling import as_written, compact
from .variant_words import stated_variant

BRAND_AND_MODEL = 0.8
"""Confidence of brand and model as given by the owner."""
SEEN_ON_IT = 0.1
"""Added if the model is also printed on the item."""
MODEL_IN_TITLE = 0.65
"""Confidence of a model code that occurs only in the title."""
BRAND_ONLY = 0.45
TITLE_ONLY = 0.3
MAX_ALTERNATIVES = 4
SPOKEN = {"library": "imported listings"}
"""Sources whose id means little to a reader."""


def identify(look: ProductLook) -> ProductIdentification:
    """Name the product; never raises, and explains the basis of the confidence."""
    return _by_gtin(look) or _by_words(look)


def _by_gtin(look: ProductLook) -> ProductIdentification | None:
    named = catalogued(look)
    if named is None:
        return None
    gtin, entries = named.gtin, named.entries
    brand = _commonest(entry.brand for entry in entries) or look.brand
    model = _commonest(entry.model for entry in entries) or look.model
    sources = ", ".join(sorted({SPOKEN.get(e.source, e.source) for e in entries}))
    reason = f"GTIN {gtin} is this product according to {sources}"
    if named.has_rival:
        reason += "; another barcode on its photographs fits as well"
    return ProductIdentification(
        title=_best_title(entries, look),
        brand=brand,
        model=model,
        mpn=_commonest(entry.mpn for entry in entries) or look.mpn,
        gtin=gtin,
        category=look.category or _commonest(entry.category for entry in entries),
        variant=stated_variant(look),
        confidence=WEAK_IDENTITY if named.has_rival else GTIN_CONFIDENCE,
        reason=reason,
        alternatives=_disagreements(entries, brand, model) + other_codes(look, gtin),
    )


def _by_words(look: ProductLook) -> ProductIdentification:
    written = [look.title, *look.attributes.values()]
    codes = codes_in(written)
    printed = codes_in(look.printed)
    code = next((code for code in codes if code in printed), next(iter(codes), None))
    code = code or _number(look)
    model = look.model or (with_generation(as_written(code, written), written) if code else None)
    seen = model is not None and compact(model) in compact(" ".join(look.printed))
    brand = look.brand or _brand_in_print(look)
    gtin = settled(look)
    confidence, reason = _weigh(look, brand, model, seen, gtin)
    others = _other_models(look, printed, brand, model) if model and not seen else []
    return ProductIdentification(
        title=look.title,
        brand=brand,
        model=model,
        mpn=look.mpn,
        gtin=gtin,
        category=look.category,
        variant=stated_variant(look),
        confidence=confidence,
        reason=reason,
        alternatives=[*others, *other_codes(look, gtin)],
    )


def _other_models(
    look: ProductLook, printed: Sequence[str], brand: str | None, model: str
) -> list[Alternative]:
    codes = [as_written(code, look.printed) for code in printed if _alike(code, model)]
    return [
        Alternative(
            title=f"{brand or ''} {code}".strip(),
            attribute="model",
            value=code,
            reason="this code is printed on it, and differs from the model in the record",
        )
        for code in codes[:MAX_ALTERNATIVES]
    ]


def _weigh(
    look: ProductLook, brand: str | None, model: str | None, seen: bool, gtin: str | None
) -> tuple[float, str]:
    more = SEEN_ON_IT if seen else 0.0
    also = "; the model is also printed on it" if seen else ""
    if look.brand and look.model:
        return BRAND_AND_MODEL + more, f"brand and model as the owner wrote them{also}"
    if model:
        return MODEL_IN_TITLE + more, f"the model code '{model}' is in the title{also}"
    unlisted = f"; no catalogue that was asked lists GTIN {gtin}" if gtin else _open_codes(look)
    if brand:
        known = "the brand is known, but no model; the title is what listings are compared with"
        return BRAND_ONLY, f"{known}{unlisted}"
    if unlisted:
        return TITLE_ONLY, f"only the title names it: no brand or model code{unlisted}"
    return TITLE_ONLY, "only the title is known: no GTIN, brand or model code"


def _open_codes(look: ProductLook) -> str:
    match len(look.gtins):
        case 0:
            return ""
        case 1:
            return f"; the barcode {look.gtins[0]} on a photograph may be of another product"
        case n:
            return f"; {n} barcodes were read on its photographs, and none is certainly its own"


def _disagreements(
    entries: Sequence[CatalogueEntry], brand: str | None, model: str | None
) -> list[Alternative]:
    alternatives: dict[str, Alternative] = {}
    for entry in entries:
        pairs = (("brand", entry.brand, brand), ("model", entry.model, model))
        for name, value, chosen in pairs:
            if value and chosen and compact(value) != compact(chosen):
                alternatives.setdefault(
                    f"{name}:{compact(value)}",
                    Alternative(
                        title=entry.title,
                        attribute=name,
                        value=value,
                        reason=f"{entry.source} lists the same GTIN under this {name}",
                    ),
                )
    return list(alternatives.values())[:MAX_ALTERNATIVES]


def _brand_in_print(look: ProductLook) -> str | None:
    """The title's first word, if it is also printed on the item."""
    first = look.title.split(maxsplit=1)[:1]
    printed = {word.lower() for line in look.printed for word in line.split()}
    return first[0] if first and first[0].lower() in printed else None


def _number(look: ProductLook) -> str | None:
    """A bare number in the title as the model, of a brand that is known: `LEGO 75192`."""
    if not look.brand:
        return None
    return next((w for w in words(look.title) if w.isdigit() and looks_like_code(w)), None)


def _alike(code: str, model: str) -> bool:
    """Codes of one family share their letters: `QB-500` may be meant by `QB-700`."""
    letters = "".join(c for c in compact(model) if c.isalpha())
    return bool(letters) and "".join(c for c in compact(code) if c.isalpha()) == letters


def _best_title(entries: Sequence[CatalogueEntry], look: ProductLook) -> str:
    wanted = set(words(look.title))
    return max(
        (entry.title for entry in entries),
        key=lambda title: (len(wanted & set(words(title))), -len(title), title),
    )


def _commonest(values: Iterable[str | None]) -> str | None:
    counts = Counter(value for value in values if value)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else None
