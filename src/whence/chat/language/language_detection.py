"""Detects messages that are not in English, the only language that rules understand.

Detection goes by script, or by the function words of a language.  A foreign name in an English
sentence (`Le Creuset`, `La Perla`) does not count.
"""

from __future__ import annotations

import re
import unicodedata

ENGLISH_ONLY = "Without a language model I understand only English."
MIN_WORDS = 2
"""Function words of another language, and more than two for each English one."""
MAX_CHARACTERS = 500
"""Characters to check; a foreign listing pasted further down does not decide."""


def _words(listed: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", listed))


_OTHER = _words(
    # German, Dutch, Danish, Norwegian and Swedish
    "wer wen wem sowas etwas "
    "der das und ist nicht wie was wieviel viel kostet kosten preis bitte ich mir mich dem den ein "
    "eine einen für warum wieso wo kann kannst könnte könnten setze setz ändere danke hallo welche "
    "welcher gibt es noch nochmal auf zu zum zur von mit sich sind wert zustand suche neue neu ja "
    "sie er wir ihr sein seine ihre haben darf dürfen muss müssen soll lange wann nur aber oder "
    "wenn nach bei aus über schon dann doch dass wird werden viele wochen tage urlaub arbeit "
    "nein het een niet hoeveel waarom prijs wat hoe dank zet naar zijn deze dit is in "
    "och är vad inte varför pris hvad hvor og ikke det jeg jag kan du mycket "
    # French
    "le la les des une est que quel quelle combien pourquoi où je vous tu prix pour avec dans ce "
    "cette mettez merci bonjour plaît et changer changez cherche encore état vaut il elle du au "
    "à de en un une elles ils nous qui quoi ou combien semaines droit être avoir peut doit congé "
    # Spanish, Portuguese and Italian
    "el los las unas qué cuál cuánto cuanto cuánta por para con precio vale esto este esta cambiar "
    "cambia pon gracias hola buscar dónde está y su del lo gli che quanto perché perche prezzo di "
    "ella ellos cómo cuándo tiempo queda puede tiene necesita semanas días trabajo permiso quanto "
    "lei lui può deve settimane ela ele uma tempo pode tem semanas "
    "questo questa grazie ciao condizione costa sono si il o os uma qual preço não você obrigado "
    "obrigada isto mude mudar são quais "
    # Polish, Czech and Turkish
    "jest ile cena dlaczego nie proszę czy jak na je kolik proč co kaç fiyat bu ve neden "
    "için"
)
_ENGLISH = _words(
    "the a an is are was were be it its this that these those what which who why how when where do "
    "does did can could would should will i you we they he she my your our his her their me us of "
    "to in on for with and or but not no yes at by from as if so then than there here have has had "
    "please price set change make any some more much many about"
)
_ELSEWHERE = re.compile(r"[äöüßñãõçğşłęąčřžå]")
"""Letters that no English word has."""
_ALONE = _words(
    "hola bonjour salut merci danke hallo gracias grazie ciao obrigado obrigada tack takk bitte "
    "dziękuję cześć merhaba teşekkürler moin servus bonsoir guten adios"
)


def is_other_language(text: str) -> bool:
    """Whether the message is in another language; False if that is unclear."""
    lowered = unicodedata.normalize("NFC", text[:MAX_CHARACTERS].lower())
    letters = [each for each in lowered if each.isalpha()]
    foreign = sum(not unicodedata.name(each, "").startswith("LATIN") for each in letters)
    if letters and foreign * 2 > len(letters):
        return True
    words = re.findall(r"[^\W\d_]+", lowered)
    if words and len(words) <= MIN_WORDS and words[0] in _ALONE:
        return True
    ambiguous = _OTHER & _ENGLISH
    others = sum(
        (word in _OTHER and word not in ambiguous) or _ELSEWHERE.search(word) is not None
        for word in words
    )
    english = sum(word in _ENGLISH and word not in ambiguous for word in words)
    return others >= MIN_WORDS and others > 2 * english
