"""Short replies to greetings, thanks and other small talk."""

from __future__ import annotations

import re

_HELLO = r"(?:hi|hello|hey|hiya|howdy|yo|good (?:morning|afternoon|evening|day)|greetings)"
_THANKS = (
    r"(?:thanks|thank you|thank u|thx|ty|cheers|much appreciated|appreciate it|"
    r"(?:many|a thousand) thanks)(?:,? (?:a lot|a bunch|so much|very much|again|anyway|for (?:that|"
    r"this|the help|your help|everything)|that(?:'s| is)? (?:helps?|helpful)|you))*"
)
_BYE = (
    r"(?:bye|goodbye|good ?bye|bye bye|see (?:you|ya)(?: (?:later|tomorrow|soon))?|later|cya|"
    r"good ?night|have a (?:good|nice|great) (?:day|one|evening|night|weekend)|that(?:'s| is| was) "
    r"all(?: (?:for (?:now|today)|i (?:need|needed|wanted)))?)"
)
_FINE = (
    r"(?:ok|okay|k|kk|alright|all right|fine|good|great|perfect|nice|cool|super|excellent|awesome|"
    r"got it|i see|understood|noted|makes sense|sounds good|fair enough|right|will do|sure thing|"
    r"(?:that(?:'s| is) )?(?:helpful|very helpful|good to know|great|perfect|fine|all good)|"
    r"that helps|i(?:'ll| will) think about it|\U0001f44d|\U0001f64f|\U0001f44c|\U0001f642)"
)
_NO = r"(?:no|nope|nah|not now|never ?mind|nvm|forget it|no thanks|no thank you|leave it)"
_WHO = r"(?: (?:there|all|everyone|again|whence|assistant|bot|team|mate|man|buddy|then|so far))?"
_JOIN = r"[\s,.!:;)(-]*"
_REPLIES = (
    (_BYE, "Goodbye. This conversation is saved."),
    (_THANKS, "You are welcome."),
    (_NO, "All right, I will leave everything as it is."),
    (_FINE, "All right."),
    (_HELLO, "Hello. Ask me about this {thing}, or tell me what to change or look up."),
)
_ANY = "|".join(kind for kind, _ in _REPLIES)
_ONLY = re.compile(
    rf"{_JOIN}(?:(?:oh|ah|and|well|so|but|yes|yeah)?{_JOIN}(?:{_ANY}){_WHO}{_JOIN})+"
)


def small_talk(text: str, thing: str) -> str | None:
    """The reply to a message that is only small talk, None for any other.

    A goodbye wins over thanks, thanks over an `ok`.  `thing` is what the record is called.
    """
    normalized = " ".join(text.lower().replace("’", "'").split())
    if len(normalized) > MAX_CHARACTERS or not _ONLY.fullmatch(normalized):
        return None
    for kind, reply in _REPLIES:
        if re.search(rf"(?<![\w']){kind}(?![\w'])", normalized):
            return reply.format(thing=thing)
    return None


MAX_CHARACTERS = 80
"""Characters; a longer message is never just small talk."""
