"""Titles of accessories (`Canon 80D battery grip`), and of cameras with a lens or without."""

from __future__ import annotations

import re

_NOUNS = (
    r"(?:battery |hand |vertical )?grips?|(?:battery |usb |car |travel |dual )*chargers?"
    r"|(?:ac )?(?:power )?(?<=(?:ac|er) )adapt[eo]rs?"
    r"|(?:power |charging |usb |data )*(?:cables?|cords?|leads?)|power supply"
    r"|batter(?:y|ies)(?: (?:packs?|doors?|covers?))?|(?:charging )?dock(?:ing station)?s?"
    r"|(?:neck |wrist |shoulder |watch |hand |camera )*straps?|watch ?bands?"
    r"|(?:screen |glass |lcd )*protectors?|tempered glass"
    r"|(?:screen|dust|lens|seat|protective) covers?"
    r"|(?:carrying |carry |travel |storage |display |hard |soft |leather |silicone |phone |camera "
    r"|protective |flip |wallet )*cases?|lens (?:hoods?|caps?)|body caps?|eye ?cups?"
    r"|(?:camera )?bags?|(?:wall |desk )?mounts?|tripods?|remotes?(?: controls?)?"
    r"|ear ?(?:pads?|tips?|cushions?)"
    r"|(?:user |instruction |owners? )?(?:manuals?|instructions?|guides?|booklets?)"
    r"|skins?|stickers?|decals?|replacement parts?"
)
_NOUN = re.compile(rf"\b(?:{_NOUNS})\b")
_ENDS_WITH = re.compile(rf"(.*?)\b({_NOUNS})\W*$")
_MADE_FOR = re.compile(rf"^(.*?)\b({_NOUNS})\b[^,;+&()]{{0,40}}?\b(?:for|fits|to fit) (.+)$")
_JOINER = re.compile(
    r"[+&,;:|(/]| - |\b(?:with|w|and|plus|includ\w*|incl|inc|no|without|in|new|good|great|strong"
    r"|fresh|spare|extra|free|original|orig|oem|from|works?|working|both|metal)\b|%|\d x\b"
)
"""Before an accessory at the end of a title: the thing itself is offered, with the accessory."""
_WORD = re.compile(r"[a-z0-9]+")

_BODY = re.compile(r"\bbody\b")
_LENS = re.compile(
    r"\b\d{2,3} ?- ?\d{2,3} ?(?:mm)?\b(?=.*\b(?:lens|kit|mm|is|stm|usm|vr|f[ /]?\d))"
    r"|\b(?:lens kit|kit lens|zoom kit)\b|(?:\b(?:with|w|and|plus)\b|[+&])[^,;]*\blens(?:es)?\b"
)
_WITHOUT_LENS = re.compile(r"\b(?:no|without|body only)\b")


def accessory(item: str, listing: str) -> str | None:
    """The accessory that the listing offers instead of the item (plain, lower-case titles).

    None if the item names an accessory itself, or if the listing offers the thing with one: after
    a word or sign that joins (`with`, `+`), or under the item's own kind (`80D camera`).
    """
    if _NOUN.search(item):
        return None
    made_for = _MADE_FOR.match(listing)
    if made_for and _shares_a_word(item, made_for[3]) and not _shares_a_word(item, made_for[1]):
        return made_for[2]
    ends = _ENDS_WITH.match(listing)
    if ends and _shares_a_word(item, ends[1]) and not _JOINER.search(ends[1]):
        return ends[2]
    return None


def lens_conflict(item: str, listing: str) -> str | None:
    """How two titles differ in a lens: one of them is of the body, the other names a lens."""
    wanted, offered = _has_lens(item), _has_lens(listing)
    if wanted is None or offered is None or wanted == offered:
        return None
    return "without the lens" if wanted else "with a lens, not the body alone"


def _has_lens(title: str) -> bool | None:
    """Whether a title of a camera names a lens; None if it names neither lens nor body."""
    if _WITHOUT_LENS.search(title) and _BODY.search(title):
        return False
    if _LENS.search(title):
        return True
    return False if _BODY.search(title) else None


def _shares_a_word(item: str, text: str) -> bool:
    return not set(_WORD.findall(item)).isdisjoint(_WORD.findall(text))
