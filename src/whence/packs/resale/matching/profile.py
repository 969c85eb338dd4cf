"""The profile of a text: its words, codes, measures and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .catalogue import Catalogue
from .languages import JOINING, english
from .specifications import specification
from .tokens import compounds, is_measure, is_year, terms, words

COLOURS = {
    word: name
    for name, spellings in {
        "black": "black blk bk schwarz noir nero negro negra zwart preto",
        "white": "white wht weiss blanc bianco blanco blanca wit branco ivory",
        "silver": "silver slv chrome argent",
        "grey": "grey gray charcoal graphite gunmetal anthracite slate",
        "red": "red crimson burgundy maroon rouge rosso rojo",
        "blue": "blue blu navy cobalt royal blau bleu azul",
        "green": "green olive lime grn",
        "yellow": "yellow ylw volt",
        "orange": "orange",
        "purple": "purple violet lavender plum",
        "pink": "pink rose fuchsia magenta",
        "brown": "brown tan beige chocolate camel khaki sand",
        "gold": "gold golden",
        "cyan": "cyan teal turquoise aqua",
    }.items()
    for word in spellings.split()
}
"""Colour words, mapped to the colour that a seller would file them under."""

_NAME = re.compile(r"[a-z]{4,}\d[a-z]{4,}")
"""A digit for a word, as in names of shops (`optics4birding`)."""
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)([a-z]+)")
_TAIL = re.compile(r'(?<!\d)"|\||&quot;')
TAIL_WEIGHT = 0.5
"""Weight of words that occur only after a quote or a bar: page titles, breadcrumbs, shops."""
DESCRIPTION_READ = 2_000
"""Characters of a description that are searched for model codes."""
_DESCRIBED_CODE_MIN = 5
"""Minimum length of a code in a description; shorter ones may be a coincidence."""
_JOIN_MAX = 3
"""Most neighbouring words joined in the search for codes: `sdsdq 008g a11m`."""


@dataclass(frozen=True)
class Profile:
    """A text prepared for comparison.  Weights are rarities in the catalogue (0 to 1)."""

    words: tuple[str, ...]
    weight: dict[str, float]
    """Distinct words of the title with their rarity."""
    joined: frozenset[str]
    """Every sequence of one to three neighbouring words, joined."""
    codes: dict[str, float]
    """Model codes of the title with their weight: letters and digits, or long numbers."""
    stated: dict[str, float]
    """Codes that only the brand, model and part number name.  Titles often leave these out."""
    measures: dict[str, frozenset[float]]
    """Numbers by unit; the empty string for numbers without a unit."""
    specs: dict[str, frozenset[str]]
    """Specifications by family."""
    colours: frozenset[str]
    described: frozenset[str] = frozenset()
    """Long model codes in the description; they can confirm a code but not contradict one."""


def profile(
    text: str, catalogue: Catalogue, more: str = "", description: str = "", part_number: str = ""
) -> Profile:
    """Read a title; `more` (brand, model) is appended to its head, the part number stays beside."""
    head, *tail = _TAIL.split(text, maxsplit=1)
    if not any(c.isalnum() for c in head) and tail:
        head, tail = tail[0], []
    head = f"{head} {more}"
    front, back = words(head), words(tail[0]) if tail else []
    added = words(part_number)
    weight: dict[str, float] = {}
    for share, part in ((1.0, front), (TAIL_WEIGHT, back)):
        for word in part:
            if word not in JOINING:
                weight.setdefault(english(word), share * catalogue.rarity(english(word)))
    codes = {word: catalogue.rarity(word) for word in (*front, *back) if looks_like_code(word)}
    for code in (*compounds(head), *(compounds(tail[0]) if tail else ())):
        if specification(code) is None:
            codes.setdefault(code, catalogue.rarity(code))
    stated = {
        code: catalogue.rarity(code)
        for code in (*filter(looks_like_code, added), *compounds(part_number))
        if code not in codes
    }
    sequence = [*front, *back, *added]
    joined = {english(word) for word in sequence} | set(sequence)
    for size in range(2, _JOIN_MAX + 1):
        for start in range(len(sequence) - size + 1):
            joined.add("".join(sequence[start : start + size]))
    return Profile(
        words=tuple(english(word) for word in (*front, *back) if word not in JOINING),
        weight=weight,
        joined=frozenset(joined),
        codes=codes,
        stated=stated,
        measures=_measures([*front, *back]),
        specs=_specifications([*front, *back]),
        colours=frozenset(COLOURS[word] for word in weight if word in COLOURS),
        described=_described(description) if description else frozenset(),
    )


def counted_words(text: str) -> list[str]:
    """The words whose rarity a comparison of this text looks up, each once."""
    return list(dict.fromkeys([*terms(text), *map(english, words(text))]))


def looks_like_code(word: str) -> bool:
    """Letters with digits (not a measure such as `32gb`), or a number of at least four digits."""
    if word.isdigit():
        return len(word) >= 4 and not is_year(word)
    if specification(word) is not None:
        return False
    has_digit = any(c.isdigit() for c in word)
    has_letter = any(c.isalpha() for c in word)
    coded = has_digit and has_letter and len(word) >= 3 and not is_measure(word)
    return coded and _NAME.fullmatch(word) is None


def _described(description: str) -> frozenset[str]:
    text = description[:DESCRIPTION_READ]
    return frozenset(
        code
        for code in (*words(text), *compounds(text))
        if len(code) >= _DESCRIBED_CODE_MIN and not code.isdigit() and looks_like_code(code)
    )


def _measures(weight: Iterable[str]) -> dict[str, frozenset[float]]:
    measures: dict[str, set[float]] = {}
    for word in weight:
        measure = _MEASURE.fullmatch(word)
        if measure is not None and is_measure(word):
            measures.setdefault(measure[2], set()).add(float(measure[1]))
        elif word.replace(".", "", 1).isdigit() and len(word) <= 6:
            measures.setdefault("", set()).add(float(word))
    return {unit: frozenset(values) for unit, values in measures.items()}


def _specifications(sequence: Iterable[str]) -> dict[str, frozenset[str]]:
    specs: dict[str, set[str]] = {}
    for word in sequence:
        family = specification(word)
        if family is not None:
            specs.setdefault(family, set()).add(word)
    return {family: frozenset(values) for family, values in specs.items()}
