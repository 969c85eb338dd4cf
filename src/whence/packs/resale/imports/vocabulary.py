"""The words of marketplaces for condition and status, in ours.

Conditions follow the names and numbers of eBay's condition ids and the names of Amazon, Mercari
and Poshmark. "Used" alone is `good`, the middle of what is sold under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeVar

from whence.packs.resale.records import Condition, LifecycleStatus, ListingStatus
from whence.sdk.tabular import BadValue, text

_CONDITIONS: Mapping[Condition, str] = {
    Condition.NEW: (
        "new|brand new|new with tags|nwt|new with box|new in box|nib|bnib|sealed|factory sealed|"
        "new without tags|nwot|unused|mint in box|never used|1000|"
        "neu|neu mit etikett|neu ohne etikett|neu mit karton|originalverpackt|ovp|unbenutzt|"
        "ungeöffnet|neuf|neuf avec étiquette|neuf sans étiquette|jamais utilisé|nuevo|"
        "nuevo con etiquetas|nuevo sin etiquetas|sin abrir|sin usar|a estrenar"
    ),
    Condition.LIKE_NEW: (
        "like new|as new|mint|near mint|open box|new other|new other see details|openbox|"
        "new without box|new open box|new with defects|excellent|pristine|certified refurbished|"
        "certified pre owned|manufacturer refurbished|factory refurbished|renewed|"
        "excellent refurbished|refurbished excellent|1500|1750|2000|2010|2750|"
        "wie neu|neuwertig|fast neu|hervorragend|neu sonstige|zertifiziert refurbished|"
        "hervorragend refurbished|comme neuf|état neuf|como nuevo|excelente"
    ),
    Condition.GOOD: (
        "good|very good|used|pre owned|preowned|second hand|gently used|lightly used|euc|guc|"
        "refurbished|seller refurbished|good refurbished|very good refurbished|"
        "refurbished very good|refurbished good|used condition|2020|2030|2500|3000|4000|5000|"
        "sehr gut|sehr guter zustand|gut|guter zustand|gebraucht|gebrauchter zustand|"
        "generalüberholt|sehr gut refurbished|gut refurbished|très bon état|très bon|bon état|"
        "bon|occasion|d'occasion|usagé|reconditionné|muy bueno|muy buen estado|bueno|"
        "buen estado|en buen estado|usado|de segunda mano|segunda mano|reacondicionado"
    ),
    Condition.FAIR: (
        "fair|acceptable|poor|worn|heavily used|well used|well worn|played|heavy wear|6000|"
        "akzeptabel|befriedigend|zufriedenstellend|ausreichend|in ordnung|stark gebraucht|"
        "stark genutzt|satisfaisant|état satisfaisant|état correct|correct|état moyen|aceptable|"
        "satisfactorio|regular|en condiciones aceptables"
    ),
    Condition.FOR_PARTS: (
        "for parts|parts only|for parts or not working|for parts not working|not working|broken|"
        "faulty|defective|damaged|as is|for repair|spares or repair|spares or repairs|"
        "spares repair|for spares or repair|untested|salvage|7000|"
        "defekt|kaputt|beschädigt|als ersatzteil defekt|für bastler|bastlerware|ersatzteile|"
        "ungeprüft|ungetestet|pour pièces|pour pièces ou réparation|hors service|en panne|"
        "défectueux|para piezas|para repuestos|no funciona|averiado|roto|defectuoso"
    ),
}

_LISTING_STATUSES: Mapping[ListingStatus, str] = {
    ListingStatus.SOLD: "sold|sale|paid|shipped|delivered|purchased|sold out",
    ListingStatus.ACTIVE: "active|live|listed|for sale|on sale|open|available|current|in stock",
    ListingStatus.ENDED: (
        "ended|unsold|expired|not sold|cancelled|canceled|withdrawn|ended unsold|delisted|removed"
    ),
    ListingStatus.UNKNOWN: "unknown",
}

_LIFECYCLE: Mapping[LifecycleStatus, str] = {
    LifecycleStatus.DRAFT: "draft|new|unlisted|not listed|inventory|in stock|unsold",
    LifecycleStatus.READY: "ready|ready to list|to list",
    LifecycleStatus.LISTED: "listed|active|live|for sale|on sale|published",
    LifecycleStatus.SOLD: "sold|paid|shipped|delivered",
    LifecycleStatus.ARCHIVED: "archived|removed|discarded|donated|returned|inactive|deleted",
}


Word = TypeVar("Word")


@lru_cache(maxsize=1_024)
def _key_of(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalnum())


def _by_key(words: Mapping[Word, str]) -> Mapping[str, Word]:
    return {_key_of(word): ours for ours, all_of in words.items() for word in all_of.split("|")}


def _key(value: object) -> str:
    return _key_of(text(value)[:100])


_CONDITION_BY_KEY = _by_key(_CONDITIONS)
_LISTING_STATUS_BY_KEY = _by_key(_LISTING_STATUSES)
_LIFECYCLE_BY_KEY = _by_key(_LIFECYCLE)


def condition(value: object) -> Condition:
    """Our condition for a marketplace's word or number. Raises `BadValue` for an unknown one."""
    key = _key(value)
    match = _CONDITION_BY_KEY.get(key)
    if match is None:
        for prefix in ("used", "preowned"):
            match = match or _CONDITION_BY_KEY.get(key.removeprefix(prefix))
    if match is None:
        raise BadValue("This word for a condition is not known; the condition is left open.")
    return match


_REFURBISHED = ("refurb", "renewed", "recondition", "generalüberholt", "reacondicionad")


def is_refurbished(value: object) -> bool:
    """Whether the word says that a thing was repaired for sale, which no condition of ours says."""
    return any(word in _key(value) for word in _REFURBISHED)


def listing_status(value: object) -> ListingStatus:
    """Sold, active or ended unsold. Raises `BadValue` for other words.

    "Completed" and "closed" are among them: they cover sold and unsold listings alike.
    """
    match = _LISTING_STATUS_BY_KEY.get(_key(value))
    if match is None:
        raise BadValue("This word does not tell sold from unsold; the status is left open.")
    return match


def lifecycle_status(value: object) -> LifecycleStatus:
    """Where an item of ours stands. Raises `BadValue` for an unknown word."""
    match = _LIFECYCLE_BY_KEY.get(_key(value))
    if match is None:
        raise BadValue("This word for a status is not known; the item is kept as a draft.")
    return match
