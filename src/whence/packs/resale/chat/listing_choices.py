"""Comparables that the owner excludes or includes by saying so: `exclude the pack of 2`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from whence.packs.resale.flows.state import COMP
from whence.packs.resale.records import ListingChoice, ListingStatus, listing_key
from whence.sdk.chat import RecordView
from whence.sdk.errors import Invalid
from whence.sdk.evidence import BundledEvidence
from whence.sdk.text import quoted

from .basis import amount, item_of, shortened
from .listings import SHOWN_TITLE, listing_of, priced_at

_COMPS = r"(?:comps?|comparables?|listings?|sales?|offers?|ones?)"
_EXCLUDE = re.compile(
    r"^(?:exclude|leave out|rule out|throw out|kick out|(?:do not|don'?t) (?:count|use|include)|"
    r"ignore(?! (?:that|this|it)\b)|disregard(?! (?:that|this|it)\b))\s+(?P<what>.+)|"
    rf"^(?:drop|remove|take out|delete)\s+(?P<named>.+?\b{_COMPS}\b.*)|"
    rf"^(?:drop|remove|take)\s+(?P<from>.+?)\s+(?:out of|from)\s+(?:the\s+)?{_COMPS}\W*$",
    re.I,
)
_INCLUDE = re.compile(
    rf"^(?:include|count|use|add)\s+(?P<what>.+?)\s+(?:again|after all|as an? {_COMPS}|"
    rf"(?:in|among|to) (?:the )?{_COMPS})\W*$|"
    rf"^(?:include|count)\s+(?P<named>(?:the|that)\s.+?\b{_COMPS}\b.*)|"
    r"^(?:put|bring|take)\s+(?P<back>.+?)\s+back(?: in)?\W*$|"
    r"^(?:put|bring|take)\s+back\s+(?P<last>.+)",
    re.I,
)
ASKED_BY = (_EXCLUDE.pattern, _INCLUDE.pattern)
_EMPTY = frozenset(
    {
        *("the", "a", "an", "that", "this", "those", "these", "of", "on", "in", "for", "at", "is"),
        *("with", "and", "it", "its", "as", "from", "again", "please", "one", "ones", "all"),
        *("every", "both", "listing", "listings", "comp", "comps", "comparable", "comparables"),
        *("sale", "sales", "offer", "offers"),
    }
)
"""Words that name no listing."""
_PRICE_LAST = re.compile(
    r"[$€£]?\d[\d.,]*\s*(?:usd|eur|gbp|dollars?|bucks?|euros?|[$€£])?\s*"
    r"(?:ones?|listings?|comps?|sales?|offers?)?\W*$",
    re.I,
)
_SEVERAL = frozenset(
    {
        *("lot", "lots", "pack", "packs", "bundle", "bundles", "set", "sets", "pair", "pairs"),
        *("multipack", "multipacks", "bulk", "twin", "twinpack", "job", "joblot"),
    }
)
"""Words for several at once."""
_ALL = re.compile(r"\b(?:all|every|each|both|those|these|listings|sales|comps|ones)\b", re.I)
SHOWN = 4
"""Listings that a question back names."""


def listing_choices(words: str, view: RecordView) -> dict[str, str]:
    """The item's choices with the one that a sentence asks for; raises Invalid, which says why."""
    excludes = _EXCLUDE.match(words)
    match = excludes or _INCLUDE.match(words)
    if match is None:
        raise Invalid("Say which listing to exclude or include, such as: exclude the pack of 2.")
    what = next(group for group in match.groups() if group)
    choices = {key: choice.value for key, choice in item_of(view).listing_choices.items()}
    wanted = [each for each in comps_in(view) if each.judgement.included is (excludes is not None)]
    for comp in _meant(what, wanted, comps_in(view), excludes=excludes is not None):
        key = listing_key(comp.evidence.source, comp.evidence.source_id)
        if choices.get(key) == _other(excludes is not None):
            del choices[key]
        else:
            choices[key] = (ListingChoice.EXCLUDE if excludes else ListingChoice.INCLUDE).value
    return choices


def comps_in(view: RecordView) -> list[BundledEvidence]:
    """The listings of the research, counted or not."""
    return [each for each in view.evidence if each.judgement.role == COMP]


def _other(excludes: bool) -> str:
    return (ListingChoice.INCLUDE if excludes else ListingChoice.EXCLUDE).value


def _meant(
    what: str,
    wanted: Sequence[BundledEvidence],
    comps: Sequence[BundledEvidence],
    *,
    excludes: bool,
) -> Sequence[BundledEvidence]:
    """The listings that the words name; several only where the words say so."""
    hits = _hits(what, wanted)
    already = "left out already" if excludes else "counted already"
    if not hits and (done := _hits(what, comps)):
        raise Invalid(f"What {quoted(what)} names is {already}:{_one_a_line(done)}")
    if not hits:
        others = [each for each in comps if each not in wanted]
        if near := _alike(what, others):
            lead = f"Nothing that is not {already} is called {quoted(what)}. Perhaps you mean this,"
            raise Invalid(f"{lead} which is {already}:{_one_a_line(near)}")
        nearest = _alike(what, wanted) or _nearest(what, wanted)
        names = f" There are:{_one_a_line(nearest)}" if nearest else ""
        raise Invalid(f"No comparable listing is called {quoted(what)}.{names}")
    if len(hits) > 1 and not _ALL.search(what):
        raise Invalid(
            f"Which one, or all of them? {len(hits)} listings fit {quoted(what)}:"
            f"{_one_a_line(hits)}"
        )
    return hits


def _one_a_line(comps: Sequence[BundledEvidence]) -> str:
    """The first listings as a list, and how many more there are."""
    names = [f"- {_name(each)}" for each in comps[:SHOWN]]
    more = [f"- and {len(comps) - SHOWN} more"] if len(comps) > SHOWN else []
    return "\n\n" + "\n".join([*names, *more])


def _alike(what: str, comps: Sequence[BundledEvidence]) -> list[BundledEvidence]:
    """The listings that share the most telling words, where `pack` is a `lot` or a `bundle`."""
    wanted = {_alias(each) for each in _words(what) if each not in _EMPTY and not each[0].isdigit()}
    shared = [
        (len(wanted & {_alias(each) for each in _words(comp.evidence.title)}), comp)
        for comp in comps
    ]
    most = max((number for number, _ in shared), default=0)
    return [comp for number, comp in shared if number == most] if most else []


def _alias(word: str) -> str:
    return "several" if word in _SEVERAL else _stem(word)


def _hits(what: str, comps: Sequence[BundledEvidence]) -> list[BundledEvidence]:
    """The listings that have all the words; else those that have them with a rounded price."""
    words = [each for each in _words(what) if each not in _EMPTY]
    if not words:
        return []
    if exact := [each for each in comps if _has(each, words)]:
        return exact
    figures = [each for each in words if each[0].isdigit()]
    if not figures or not _PRICE_LAST.search(what):
        return []
    priced = priced_at(comps, figures[-1])
    return [each for each in priced if _has(each, [word for word in words if word != figures[-1]])]


def _nearest(what: str, comps: Sequence[BundledEvidence]) -> Sequence[BundledEvidence]:
    """The listings to offer instead: nearest in price, where a price was named."""
    figures = [float(each) for each in _words(what) if each[0].isdigit()]
    if not figures:
        return comps[:SHOWN]

    def difference(comp: BundledEvidence) -> float:
        price = listing_of(comp).price
        return abs(price - figures[-1]) if price is not None else float("inf")

    return sorted(comps, key=difference)[:SHOWN]


def _has(comp: BundledEvidence, words: Sequence[str]) -> bool:
    """Whether a listing has all the words, in its title, id, place, condition, status or price."""
    listing = listing_of(comp)
    price = f"{listing.price:g}" if listing.price is not None else ""
    condition = listing.condition.value if listing.condition else ""
    places = f"{listing.marketplace or ''} {listing.source}"
    name = f"{listing.title} {comp.evidence.source_id}"
    text = f"{name} {places} {condition} {listing.status.value} {price}"
    own = {_stem(each) for each in _words(text)}
    return all(_stem(each) in own for each in words)


def _words(text: str) -> list[str]:
    words = re.findall(r"\d+(?:\.\d+)?|[^\W\d]+", text.lower().replace("_", " "))
    return [f"{float(each):g}" if each[0].isdigit() else each for each in words]


def _stem(word: str) -> str:
    return word.removesuffix("s")


def _name(comp: BundledEvidence) -> str:
    """A listing by what tells it from others of the same title: price, place, day or id."""
    listing = listing_of(comp)
    price = f" at {amount(listing.price, listing.currency)}" if listing.price is not None else ""
    sold = listing.sold_at is not None and listing.status is ListingStatus.SOLD
    day = f", sold {listing.sold_at:%Y-%m-%d}" if sold else ""
    place = f" on {listing.marketplace}" if listing.marketplace else ""
    return f"“{shortened(listing.title, SHOWN_TITLE)}”{price}{place}{day}"


def choices_in_words(view: RecordView, choices: Mapping[str, Any]) -> str:
    """The owner's choices as a person reads them: `without “…” at 457.00 USD`."""
    names = {
        listing_key(each.evidence.source, each.evidence.source_id): _name(each)
        for each in comps_in(view)
    }
    words = [
        f"{'without' if choice == ListingChoice.EXCLUDE else 'with'} {names.get(key, key)}"
        for key, choice in choices.items()
    ]
    return "; ".join(words) if words else "as the research judged them"
