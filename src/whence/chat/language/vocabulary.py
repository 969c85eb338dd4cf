"""The words by which rules recognise what a message does: change, clear, raise, refuse, ask.

Everyday English, and the commonest German, French and Spanish words.  What a record's fields are
called comes from the pack.
"""

from __future__ import annotations

import re
from enum import Enum, auto


class Operation(Enum):
    SET = auto()
    CLEAR = auto()
    UP = auto()
    """By an amount or a share."""
    DOWN = auto()
    ADD = auto()


_VERBS = {
    Operation.UP: "raise increase bump lift hike",
    Operation.DOWN: "lower reduce decrease drop cut slash knock shave chop trim",
    Operation.CLEAR: ("clear remove delete erase empty unset blank wipe reset scrap ditch strip"),
    Operation.ADD: "add append include attach",
    Operation.SET: (
        "set roll reverse change update edit correct fix adjust modify amend make put enter "
        "switch replace "
        "rename retitle write mark assign swap archive publish unpublish restore revert undo "
        "flag label record note relist list price sell bring move push pull round call "
        "use take choose pick let have ask "
        "get go do say need want try downgrade upgrade fill state turn keep save "
        "match meet"
    ),
}
_VERBS_ELSEWHERE = {
    Operation.UP: "erhöhe erhöh augmente sube",
    Operation.DOWN: "senke senk reduziere baisse baja",
    Operation.CLEAR: "lösche lösch entferne efface supprime borra quita",
    Operation.SET: (
        "setze setz ändere ändern ändre mache mach stelle stell nenne nimm mets mettez change "
        "changez passe pon ponga poner cambia cambie cambiar deja marca marque bezeichne"
    ),
}
"""In German, French and Spanish."""
_ENGLISH = {verb: operation for operation, verbs in _VERBS.items() for verb in verbs.split()}
_PLAIN = _ENGLISH | {
    verb: operation for operation, verbs in _VERBS_ELSEWHERE.items() for verb in verbs.split()
}
_OTHERWISE_USED = (
    "use take choose pick let have ask get go do say need want try list price sell bring move push "
    "pull call fill state turn keep note record include round passe save match meet"
)
_WEAK = frozenset(_OTHERWISE_USED.split())
_STRONG = [verb for verb in _PLAIN if verb not in _WEAK]
_GERUNDS = {
    f"{stem}ing": _PLAIN[verb]
    for verb in _STRONG
    if verb in _ENGLISH
    for stem in (verb, verb.removesuffix("e"), verb + verb[-1])
}
OPERATIONS = _PLAIN | _GERUNDS
"""Verbs that can begin a request for a change; some, such as `get`, begin other requests too."""
VERBS = tuple(verb for verb in OPERATIONS if verb not in _WEAK)
"""Verbs that ask for a change wherever a request begins with them."""
_PARTICIPLES = sorted(
    {stem + "ed" for verb in _STRONG for stem in (verb, verb.removesuffix("e"), verb + verb[-1])}
    | {"set", "put", "cut", "made", "brought", "taken", "written", "reworded"},
    key=len,
    reverse=True,
)
CHANGED = rf"(?:{'|'.join(_PARTICIPLES)})"
"""What is done to a field, as a participle: `should be lowered to`."""
CLEARED = r"(?:cleared|removed|deleted|erased|emptied|unset|blanked|wiped|scrapped|taken out)"
_SUFFIX = r"(?:-?(?:le|la|lo|los|las|les))?"
VERB = re.compile(
    rf"(?P<verb>{'|'.join(sorted(OPERATIONS, key=len, reverse=True))}){_SUFFIX}\b", re.I
)
STRONG_VERB = rf"(?:{'|'.join(sorted(VERBS, key=len, reverse=True))}){_SUFFIX}\b"
VERB_ALONE = re.compile(
    r"(?:do|set|change|make|put|get|go|use|take)(?: (?:it|this|that|sense))?\W*", re.I
)
"""Says too little to be a change: `put that`."""
REMOVED = re.compile(
    r"^(?:get rid of|do away with|take out|take (?:\S+ ){1,3}(?:out|away)\W*$)", re.I
)

QUESTION_WORDS = (
    r"(?:what|whats|whatd|wat|wut|howd|whyd|which|who|whos|whom|whose|when|whens|where|wheres|why|"
    r"whys|how|hows|"
    r"is|isnt|are|arent|am|was|were|does|do (?!it\b|this\b|that\b|the\b|an?\b|some|another|"
    r"[$€£]?\d)|did|doesnt|didnt|has|"
    r"have (?:you|i|we|they)|had|hasnt|can|cant|could|couldnt|should(?! (?:be|say|read)\b)|"
    r"shouldnt|"
    r"shall|will|wont|would|wouldnt|may|might|any|anything|anyone|anybody|if|in case|whether|"
    r"suppose|supposing|"
    r"assuming|tell|show|explain|describe|summarize|summarise|compare|walk|remind|clarify|confirm|"
    r"know|understand|hear|"
    r"was|wie|warum|wieso|wann|wo|wer|welche\w*|ist|sind|combien|pourquoi|quel\w*|quand|où|comment|"
    r"est-ce|cuánto|cuanto|qué|cuál|cuándo|dónde|cómo|es)\b"
)
HYPOTHETICAL = re.compile(
    r"^(?:if|suppose|supposing|assuming|in case|say i|wenn|falls|si)\b|\bwhat if\b|"
    r"\bwhat (?:would|will|could|might|happens?)\b|\bshould (?:i|we)\b|\bdo you think\b|"
    r"\bif you were me\b|\b(?:would|will) (?:it|that|this|they|\d\S*)\b(?! be possible)|"
    r"\b(?:is|was) (?:it|that|this) (?:ok|okay|wise|worth|better|smart|a good idea|safe)\b|"
    r"^(?:at|with) [$€£]?\d.*\b(?:how|what|when|which|would|will|does|is|can)\b|"
    r"^(?:someone|somebody|(?:a|one|this) (?:buyer|guy|lady|woman|man|person)|he|she|they|"
    r"i (?:just )?(?:got|have|had)|got)\b.{0,20}\b(?:offer(?:ed|s|ing)?|bids?)\b|"
    r"^(?:i'?m )?not sure (?:what|which|how|about|if|whether)\b|\bany reason (?:to|not)\b|"
    r"\bworth it\b|\bhow (?:do|can|would|could) (?:i|we|you)\b|"
    r"\b(?:too|still|even) (?:much|low|high|greedy|cheap|little)\b[^,]*\?",
    re.I,
)
"""Questions about advice or consequences, which ask for no change whatever they mention."""
NEGATION = re.compile(
    r"^(?:do ?n[o']?t(?! (?:you|i|they|we)\b)|do not|dont|never|no need|there(?:'s| is) no need|"
    r"stop|cancel|not (?!sure|happy|clear|certain)\S+|without|"
    r"i (?:do not|don'?t|wouldn'?t|would not|won'?t) "
    r"(?:want|need|wish|change|touch|set|lower|raise|edit|update|like to)|"
    r"(?:leave|keep) (?:\S+ ){1,4}?(?:as (?:it|they|is)|alone|be\b|unchanged|at\b)|"
    r"(?:you|we) (?:don'?t|do not|needn'?t|shouldn'?t)|nicht|kein\w*|ne |n'|no (?:cambi|pong|baj|"
    r"sub))"
    r"|^\S+ (?:\S+ ){1,3}nicht\W*$|^ne? .* pas\b",
    re.I,
)
WITHDRAWN = re.compile(
    r"^(?:(?:no|wait|actually|sorry|oh|ok|okay)\W+)*(?:never ?mind|nvm|forget (?:it|that|about it)|"
    r"(?:scratch|strike|ignore|disregard|cancel) that)\b",
    re.I,
)
POLITE_END = re.compile(
    r"[\s,.;!]*\b(?:please|pls|plz|thanks|thank you|thx|instead|then|now|for me|kindly|bitte|danke|"
    r"s'il (?:te|vous) pla[iî]t|merci|por favor|gracias|(?:will|would|could|can|won't) you|"
    r"if (?:that is|that's|you can|you could|possible|you don't mind)(?: (?:ok|okay|possible))?|"
    r"tbh|btw|fyi|imo|imho|lol|haha|honestly|just so (?:you|u) know|"
    r"(?:do )?(?:you|u) (?:think|reckon)|i (?:think|guess|suppose|reckon|believe)|"
    r"asap|(?<!\bas )it is|put that in|(?:when|whenever|once) you (?:can|could|get a chance))\W*\Z",
    re.I,
)
