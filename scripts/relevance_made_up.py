"""Made-up pairs of kinds that no shared set has: shoes, watches and computer parts.

Every brand, model and code is invented.  A product has siblings that differ in model, code, colour,
size or target group; each is written in several ways, in several languages, with and without codes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from relevance_changes import in_another_language, on_a_shops_page

from whence.packs.resale.matching.scorer import Product
from whence.packs.resale.records import Listing

SYLLABLES = (
    "ka", "lo", "mi", "ve", "ra", "tor", "zen", "ul", "dor", "pas", "qui", "nel", "fy", "bra",
    "ster", "vo", "han", "lex", "tri", "mon", "ga", "si",
)  # fmt: skip
LETTERS = "ABCDEFGHJKLMNPRSTVWX"


@dataclass(frozen=True)
class Kind:
    """The words of one kind of product; in a code, `A` is a letter and `9` a digit."""

    nouns: tuple[str, ...]
    lines: tuple[str, ...]
    groups: tuple[str, ...]
    colours: tuple[str, ...]
    capacities: tuple[str, ...]
    specifications: tuple[str, ...]
    extras: tuple[str, ...]
    codes: tuple[str, ...]
    suffixes: tuple[str, ...]


KINDS = {
    "shoes": Kind(
        nouns=("running shoes", "sneakers", "trail shoe", "shoes", "trainers"),
        lines=("Air", "Zoom", "Gel", "Free", "Wave", "Ultra"),
        groups=("Men's", "Women's", "Mens", "Womens", "Kids"),
        colours=("Black", "White", "Blue", "Red", "Grey", "Black/White", "Navy", "Pink"),
        capacities=("",),
        specifications=("",),
        extras=("Size 9", "UK 8", "EU 42", "New", "in box", "running", "lightweight"),
        codes=("999999", "AA9999", "A99999", "A999A"),
        suffixes=("-001", "-100", "-400", "-600", "-010", "-101"),
    ),
    "watches": Kind(
        nouns=("watch", "mens watch", "quartz watch", "automatic watch", "chronograph"),
        lines=("Sport", "Classic", "Diver", "Pilot", "Heritage"),
        groups=("Men's", "Ladies", "Gents", "Women's", ""),
        colours=("black dial", "white dial", "blue dial", "silver", "gold", "steel bracelet"),
        capacities=("",),
        specifications=("",),
        extras=("42mm", "200m", "sapphire", "water resistant", "date", "stainless steel", "Swiss"),
        codes=("AAA999", "AA9999-99A", "A999.999.99", "A-99A"),
        suffixes=("K1", "EF", "B", "-1A", ".51"),
    ),
    "parts": Kind(
        nouns=("desktop memory", "solid state drive", "motherboard", "graphics card", "hard drive"),
        lines=("Fury", "Vengeance", "Gaming", "Pro", "Elite", "Value"),
        groups=("",),
        colours=("black", "red", "white", ""),
        capacities=("4GB", "8GB", "16GB", "250GB", "500GB", "1TB"),
        specifications=("DDR3", "DDR4", "LGA1151", "AM4", "LGA1150", "1080p", "4K"),
        extras=("240-pin", "2400MHz", "PCIe", "SATA III", "1.35V", "CL15", "ATX", "retail", "kit"),
        codes=("AAA9999AA9", "AA9-9999A", "AAA999A/99", "9AA9999"),
        suffixes=("/8", "-EU", "B", "-R", "BK"),
    ),
}


@dataclass(frozen=True)
class Thing:
    brand: str
    line: str
    model: str
    noun: str
    group: str
    colour: str
    capacity: str
    specification: str
    code: str
    suffix: str


def made_up(name: str, count: int) -> Iterator[tuple[Product, Listing, bool]]:
    """Pairs of one kind, the same ones at each call: matches, siblings, others of the brand."""
    rng, kind = random.Random(name), KINDS[name]
    brands = [_name(rng) for _ in range(8)]
    things = [_thing(kind, rng.choice(brands), rng) for _ in range(count // 3)]
    for at in range(count):
        wanted, share = rng.choice(things), rng.random()
        if share < 0.3:
            offered = wanted
        elif share < 0.75:
            offered = _sibling(kind, wanted, rng)
        else:
            others = [thing for thing in things if thing is not wanted]
            offered = rng.choice([o for o in others if o.brand == wanted.brand] or others)
        product = Product(_title(kind, wanted, rng))
        if rng.random() < 0.3:
            product = replace(product, brand=wanted.brand, model=wanted.code)
        title = _title(kind, offered, rng)
        listing = Listing(source="library", source_id=f"{name}-{at}", title=title)
        yield product, listing, offered is wanted


def _name(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 3)))).title()


def _code(kind: Kind, rng: random.Random) -> str:
    letters = {"A": LETTERS, "9": "0123456789"}
    return "".join(rng.choice(letters.get(sign, sign)) for sign in rng.choice(kind.codes))


def _thing(kind: Kind, brand: str, rng: random.Random) -> Thing:
    return Thing(
        brand=brand,
        line=rng.choice(kind.lines),
        model=_name(rng) + rng.choice((f" {rng.randint(1, 40)}", "", " II", " III", " V2")),
        noun=rng.choice(kind.nouns),
        group=rng.choice(kind.groups),
        colour=rng.choice(kind.colours),
        capacity=rng.choice(kind.capacities),
        specification=rng.choice(kind.specifications),
        code=_code(kind, rng),
        suffix=rng.choice(kind.suffixes),
    )


def _sibling(kind: Kind, thing: Thing, rng: random.Random) -> Thing:
    """Another product of the family: a new code, except that a colour only has another suffix."""
    how = rng.choice(("colour", "model", "line", "code", "code", "variant"))
    if how == "colour":
        colour = rng.choice([c for c in kind.colours if c != thing.colour])
        return replace(thing, colour=colour, suffix=rng.choice(kind.suffixes))
    if how == "model":
        return replace(thing, model=_name(rng), code=_code(kind, rng))
    if how == "line":
        line = rng.choice([each for each in kind.lines if each != thing.line])
        return replace(thing, line=line, code=_code(kind, rng))
    if how == "variant" and len(kind.capacities) > 1:
        capacity = rng.choice([c for c in kind.capacities if c != thing.capacity])
        return replace(thing, capacity=capacity, code=_code(kind, rng))
    if how == "variant":
        group = "Women's" if thing.group in {"Men's", "Mens", "Gents", ""} else "Men's"
        return replace(thing, group=group, code=_code(kind, rng))
    code = list(thing.code)
    digits = [at for at, sign in enumerate(code) if sign.isdigit()]
    for at in rng.sample(digits, min(len(digits), rng.choice((1, 2)))):
        code[at] = str((int(code[at]) + rng.randint(1, 8)) % 10)
    model = _name(rng) if rng.random() < 0.6 else thing.model
    return replace(thing, code="".join(code), model=model)


def _title(kind: Kind, thing: Thing, rng: random.Random) -> str:
    parts = [thing.brand, *([] if rng.random() < 0.15 else [thing.line]), thing.model]
    for share, part in (
        (0.6, thing.group),
        (0.9, thing.capacity),
        (0.7, thing.specification),
        (0.85, thing.noun if rng.random() < 0.7 else rng.choice(kind.nouns[:2])),
        (0.6, thing.colour),
    ):
        if part and rng.random() < share:
            parts.append(part)
    parts += [rng.choice(kind.extras) for _ in range(rng.choice((0, 0, 1, 2)))]
    if rng.random() < 0.6:
        code = thing.code + (thing.suffix if rng.random() < 0.5 else "")
        if rng.random() < 0.25:
            code = code.translate(str.maketrans("", "", "-./"))
        parts.insert(rng.choice((1, len(parts), len(parts))), code)
    title = " ".join(parts)
    if rng.random() < 0.3:
        title = in_another_language(title, rng)
    return on_a_shops_page(title, rng) if rng.random() < 0.3 else title
