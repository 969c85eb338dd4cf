"""English words and signs that several rooms read: months, small numbers, currencies, sentences."""

from __future__ import annotations

import re

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTHS_ELSEWHERE = (
    "januar janvier enero jänner|februar février fevrier febrero|märz maerz mars marzo|avril abril|"
    "mai mayo|juni juin junio|juli juillet julio|août aout agosto|septembre septiembre|"
    "oktober octobre octubre|novembre noviembre|dezember décembre decembre diciembre"
)
"""In German, French and Spanish, where they differ from English; months are separated by `|`."""
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""By their value, 0 to 10."""
CURRENCY_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP"}
"""Sign → ISO 4217 code, where nothing says which dollar or pound is meant."""
CURRENCY_NAMES = {
    **dict.fromkeys(("dollar", "dollars", "buck", "bucks"), "$"),
    **dict.fromkeys(("euro", "euros"), "€"),
    **dict.fromkeys(("pound", "pounds", "quid"), "£"),
}
"""What people call a currency → its sign."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?…])\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, without the blank ones."""
    return [part for part in _BETWEEN_SENTENCES.split(text.strip()) if part.strip(" .")]
