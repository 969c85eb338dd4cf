"""Decides by its verb what a request asks for: an answer, research, or a change.

General English; the words for a record's fields come from the pack.  If the verb alone does not
decide, what follows does: `get newer sales`, `get the price to 99`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from whence.chat.language.spelling import editable_words
from whence.chat.offer import Chat


class Request(Enum):
    ANSWER = auto()
    RESEARCH = auto()
    CHANGE = auto()


VERBS = (
    *("set", "change", "update", "edit", "correct", "fix", "adjust", "modify", "amend"),
    *("raise", "lower", "increase", "decrease", "reduce", "drop", "bump", "cut", "slash", "hike"),
    *("rename", "retitle", "mark", "clear", "remove", "delete", "erase", "empty", "unset", "wipe"),
    *("reset", "replace", "switch", "swap", "assign", "add", "append", "put", "enter", "write"),
    *("make", "undo", "revert", "restore", "archive", "publish", "unpublish"),
)
"""Verbs that ask for a change when a request begins with them."""
CHANGING = "|".join(VERBS)
_SEARCHING = (
    *("research", "search", "rerun", "recheck", "redo", "reassess", "reevaluate", "reanalyse"),
    *("reanalyze", "investigate", "analyse", "analyze", "refresh", "look", "dig", "scan", "scour"),
    *("google", "browse", "find", "check", "run", "start", "restart", "repeat", "get", "fetch"),
    *("pull", "gather", "grab", "have", "do", "kick", "begin", "try", "give"),
)
_MOVING = (
    *("take", "bring", "get", "move", "push", "pull", "knock", "shave", "chop", "trim", "come"),
    *("go", "keep", "leave", "hold", "have", "let", "round", "list", "offer", "turn", "call"),
    *("use", "see", "want", "need", "ask", "state", "say", "fill", "note", "record", "sell"),
)
"""Verbs that ask for a change if a field, or an amount, and its new value follow."""
BEGINNINGS = rf"(?:{CHANGING}|{'|'.join(_SEARCHING)}|re-\w+|go (?:look|find|search|get|back))\b"
_STEMS = {
    form: verb
    for verb in (*VERBS, *_SEARCHING, *_MOVING)
    for form in (verb, verb.removesuffix("e"), verb + verb[-1])
}
GERUNDS = "|".join(sorted(f"{stem}ing" for stem in _STEMS))

ANSWER_VERBS = re.compile(
    r"^(?:tell|show|explain|describe|summari[sz]e|sum up|compare|list(?! (?:it|this|that|them)\b)|"
    r"walk|talk|run (?:me|us)|go (?:over|through)|break|remind|clarify|elaborate|confirm|outline|"
    r"recap|point out|expand|let (?:me|us) (?:know|see)|give|understand|know|help|see(?! (?:you|"
    r"ya)\b)|hear|read)\b"
)
_WALK_ME_THROUGH = re.compile(
    r"^(?:go (?:over|through)|walk|run|talk|take)\b.*\b(?:with|for) (?:me|us)\b|"
    r"^(?:walk|talk|run|take) (?:me|us)\b"
)
"""`go over the condition with me once more` asks for an answer, not for research."""
_NEW = (
    r"(?:new|newer|newest|fresh|fresher|recent|latest|updated|up[ -]to[ -]date|current|another|"
    r"other|additional|further|better|second|third|different|one more|more|similar|closer|sold)"
)
_STUDY = (
    r"(?:re-?search|search(?:es)?|investigation|analys[ei]s|look-?up|data|comps?|comparables?|"
    r"evidence|sources?|findings|results|valuation|appraisal|assessment|determination|estimate|"
    r"investigation|evaluation|run)"
)
FOUND = (
    rf"(?:{_STUDY}|listings|sales|ones|offers|numbers|figures|prices|report|round|look|check|"
    r"glance|go|try|shot|scan|pass|sweep|dive|dig|crack|stab|swing|trawl|opinion|hits|matches|"
    r"market)"
)
_WORDS = r"(?:\s+(?!(?:to|as|by|with|from|on|in)\b)[\w'-]+)"
AGAIN = (
    r"(?:again|anew|afresh|once (?:more|again)|(?:one|another) (?:more )?time|over|from scratch|"
    r"from the (?:start|beginning|top|ground up))"
)
_RESEARCH = tuple(
    re.compile(f"^(?:{form})")
    for form in (
        r"(?:re-?)?research\b(?!\s+(?:say|said|find|found|show|is|was|look|of|from)s?\b)",
        (
            r"(?:investigate|analy[sz]e|re-?(?:run|check|search|scan|assess|evaluate|appraise|"
            r"examine|investigate|analy[sz]e)|refresh)\b"
        ),
        rf"redo\b(?:\s+(?:it|this|that|everything)\b|\W*$|{_WORDS}{{0,3}}?\s+{_STUDY}s?\b)",
        r"run (?:it|this|that|everything)\b|(?:check|look|see) again\b",
        (
            r"(?:keep |try |continue |start )?(?:search|scan|scour|dig|hunt|brows|google?)"
            r"(?:p?ing|e)?\b(?!\s+(?:term|word|result|quer)\w*)"
        ),
        r"(?:keep |try |start )look(?:ing)?\b",
        (
            r"(?:have a |take a |go |do some )?look(?:ing)?(?: \w+){0,2} (?:for|into|around|deeper|"
            r"further|harder|online|elsewhere|(?:it|this|that) up)\b"
        ),
        r"find out\b|find(?: (?:me|us|some))? more\b",
        (
            rf"do(?:\s+(?!(?:i|we|they|you|to|as|by|with|from|on|in)\b)[\w'-]+){{0,4}}?\s+{_STUDY}"
            r"(?=\W*$|\s+(?:again|anew|now|once|please|with|for|on|of|based|and|because|since)\b)"
        ),
        rf"do (?:me |us )?(?:a|an|another|some|one)\s*{_NEW}?{_WORDS}{{0,3}}?\s+{FOUND}\b",
        r"go (?:search|hunt|look|dig|research)ing\b|look (?:what|how much|whether)\b",
        (
            r"go (?:back )?(?:over|through|to) (?:the )?(?:\w+ )?(?:market|web|internet|"
            r"marketplaces?)\b"
        ),
        r"(?:see|check) (?:if|whether|what) (?:you|we) (?:can|could) (?:find|get|dig)\b",
        (
            r"(?:see|check|look) (?:if|whether|what) (?:there(?:'s| is| are)|the market has)\b"
            rf".*\b(?:{_NEW}|out there|on the market)\b"
        ),
        (
            r"(?:get|give) (?:me |us )?(?:an )?update on (?:the )?(?:market|prices|sales|comps?|"
            r"what (?:it|they|these|this|those) )"
        ),
        (
            r"(?:check|see|look up|find) (?:out )?(?:what|how much) (?:it|they|these|this|those|"
            r"others|"
            r"people|similar \w+) (?:sell|go|fetch|bring|cost|is|are|was|were|pay|ask|get)"
        ),
        (
            r"(?:check|survey|study|watch|look at) (?:the )?(?:current |latest )?(?:market|web|"
            r"internet|marketplaces?)\b"
        ),
        (
            rf"(?:start|begin|kick off|launch|trigger|redo|repeat|refresh|update|renew|restart|"
            rf"resume|"
            rf"continue|order|schedule|perform|conduct|carry out|"
            rf"initiate|"
            rf"run){_WORDS}{{0,4}}?\s+{_STUDY}s?\b"
        ),
        (
            rf"(?:run|make|get|have(?! (?:i|we|they|you)\b)|take|give|check(?: for)?|look for|"
            rf"go|find|fetch|pull|gather|collect|grab|bring|try|order|for|start|begin|kick off|"
            rf"launch|dig up)(?:\s*(?:me|us|it|this|that|some|a|an|the|and|one))*?\s*"
            rf"{_NEW}{_WORDS}{{0,3}}?\s+{FOUND}\b"
        ),
        (
            rf"(?:update|refresh|renew|redo|adjust|revise|recalculate|re-?(?:do|price))\b(?!.*\d)"
            rf"{_WORDS}{{0,4}}?\s+(?:with|from|on|by|to|against|in light of)\s+"
            rf"(?:(?:the|some|a|any|all)\s+)*{_NEW}{_WORDS}{{0,3}}?\s+(?:{_STUDY}s?|{FOUND})\b"
        ),
        (
            rf"(?:find|fetch|gather|collect|pull|dig up|get)(?: (?:me|us|some))? {_NEW}\b(?!\W*$)"
            r"(?=.*\b(?:sold|sell|listed|market)\b)"
        ),
        (
            rf"(?:do|run|go|try|start|begin|check|search|look|repeat|scan|have|take|work|study|"
            rf"pull|get|fetch|gather|collect|assess|evaluate|appraise|value|analy[sz]e|review|"
            rf"examine|research|query|consult|compare|price)\b"
            rf"{_WORDS}{{0,6}}?\s+{AGAIN}\b"
        ),
        rf"(?:go (?:over|through)){_WORDS}{{1,4}}?\s+from scratch\b",
        r"(?:for )?a (?:refresh|re-?check|re-?run|search)\b",
        (
            rf"(?:bring|get) (?:it|this|that|everything|(?:the |your )?{FOUND}s?) (?:back )?"
            r"up[ -]to[ -]date\b"
        ),
        r"(?:start|begin)\s+from the (?:start|beginning|top)\b",
    )
)
_WANTED = re.compile(rf"^(?:me|us|some|a|an|the|one|\s)*{_NEW}{_WORDS}{{0,3}}?\s+{FOUND}\b")
"""A request for something new without a verb: `newer prices`."""
_AMOUNT = r"(?:[$€£]\s?)?\d[\d.,]*\s?(?:k\b|%|percent|per cent|[$€£]|[a-z]{3,7}\b)?"
_ENDS = r"(?:\s+(?:then|instead|for (?:it|this|that|now)|it is|please|flat|even))*\W*$"
_CHANGE = re.compile(rf"^(?:{CHANGING})\b(?!\s+(?:sense|sure|of)\b)(?!\W*$)|^(?:undo|revert)\b")
_TRADED = re.compile(r"^(?:price|sell|list|value|offer) (?:it|this|that|them) (?:at|for)\b")
_ANOTHER_TRY = re.compile(
    r"^(?:give|have) (?:it|this|that|the item|the case|her|his)\s+(?:another|one more|a second|"
    r"a fresh|a new)\s+[a-z]+\b(?!\W*\d)"
)
"""`give it another whirl`, with any noun."""
_REMOVED = re.compile(
    r"^(?:get rid of|ditch|scrap|strip|take out|do away with)\b|"
    r"^take (?:\w+ ){1,3}(?:off|out|away)\W*$"
)
_STATEMENT = re.compile(
    r"^(?:i|we|you|they|he|she|someone|somebody)(?:'ve|'s)?(?: (?:have|has|had|just|already|"
    r"only|also))* (?!(?:want|need|like|have|would)\b)|"
    r".*\b(?:was|were|has been|have been|had been)\s+(?:\w+ly\s+)?"
    r"(?:set|changed|updated|lowered|raised|reduced|corrected|fixed|removed|cleared|put|marked)\b"
)
"""Reports of what was done: `we changed the condition`, `the price was lowered`."""
_CONNECTED = re.compile(r"\b(?:to|as|at|by|with)\b|[:=]|->|→")
_BACK = re.compile(
    r"^(?:put|roll|take|change|turn|switch|set|go)\b(?: \w+){0,3} back\b(?! to \W*\d|"
    r" (?:to|on|over) (?:the )?(?:market|web|internet|marketplaces?|sources|listings)\b)"
)
_ARCHIVED = re.compile(r"^(?:archive|publish|unpublish|list|delist) (?:it|this|that)(?: one)?\W*$")
_MOVED = re.compile(rf"^(?:{'|'.join(_MOVING)})\b")
_BY_HOW_MUCH = re.compile(
    rf"\b(?:to|down to|up to|back to|off|by|at|down|up|with)\s+{_AMOUNT}|{_AMOUNT}\s+(?:off|down|"
    r"up|less|more|lower|higher|cheaper)\b"
)
_WHAT = re.compile(r"\b(?:to|as|at|say|says|read|be|in|is)\b\s*\S|[:=]|“|\d")
_DONE_TO = re.compile(
    r"\b(?:set|changed|updated|lowered|raised|reduced|corrected|fixed|removed|cleared|put|marked)\b"
)
_AGREED_AMOUNT = re.compile(
    r"^(?:do|make (?:it|that|this)|call it|say|try|use|take|settle (?:on|for)|stick (?:with|"
    rf"to)|meant|i (?:meant|said)|go (?:back |down |up )?(?:with|for|to))\s+(?:at |"
    rf"to )?{_AMOUNT}{_ENDS}"
)


_SEARCH_WORDS = re.compile(
    rf"\b(?:{_STUDY}s?|{FOUND}|re-?search(?:ed|ing)?|search(?:ed|ing)?|look(?:ed|ing)?|"
    rf"hunt(?:ing)?)\b"
)
_NEW_WORDS = re.compile(rf"\b(?:{_NEW}|{AGAIN})\b")
_VOLITION = re.compile(
    r"\b(?:please|pls|plz|kindly|need(?:ed|s)?|want(?:ed)?|must|should|go|let|welcome|appreciated?|"
    r"would be (?:good|great|nice|helpful|useful|best|better)|time for)\b"
)
_PAST = re.compile(r"\b(?:did|was|were|had|been|has|said|found|used|showed|shown|you have)\b")


def wants_a_new_search(text: str) -> bool:
    """`a fresh look at the market would be welcome`: no verb asks, but all its words do."""
    patterns = (_SEARCH_WORDS, _NEW_WORDS, _VOLITION)
    return all(form.search(text) for form in patterns) and not _PAST.search(text)


def imperative(text: str) -> str:
    """`setting the price` as `set the price`, for a verb that asks for something."""
    gerund, _, rest = text.partition(" ")
    return f"{_STEMS.get(gerund.removesuffix('ing'), gerund)} {rest}".strip()


def request_of(request: str, chat: Chat, *, is_request: bool, asks: bool) -> Request | None:
    """What a part of a message, in lower case, asks for; None if no verb decides.

    `asks`: it is phrased as a question, so that only a request or plain words make it a change.
    """
    fields = editable_words(chat)
    plain = is_request or not asks
    another_try = _ANOTHER_TRY.match(request) and not _names(request, fields)
    if _TRADED.match(request) or _BACK.match(request) or (plain and _ARCHIVED.match(request)):
        return Request.CHANGE
    wants_new_search = another_try or (is_request and _WANTED.match(request))
    wants_walkthrough = _WALK_ME_THROUGH.match(request)
    if (
        not wants_walkthrough
        and (wants_new_search or any(form.match(request) for form in _RESEARCH))
        and not _sets(request, fields)
    ):
        return Request.RESEARCH
    if plain and _moves(request, fields):
        return Request.CHANGE
    if wants_walkthrough or ANSWER_VERBS.match(request):
        return Request.ANSWER
    if _CHANGE.match(request) and (plain or _CONNECTED.search(request)):
        return Request.CHANGE
    return None


def _sets(request: str, fields: Sequence[str]) -> bool:
    """Whether a field is given a value: `have the price at 40 again`."""
    field_pattern = "|".join(fields) or r"(?!)"
    return (
        re.search(rf"\b(?:{field_pattern})\s+(?:back\s+)?(?:to|at|as)\s+{_AMOUNT}", request)
        is not None
    )


def _names(request: str, fields: Sequence[str]) -> bool:
    return any(re.search(rf"\b{field}\b", request) for field in fields)


def _moves(request: str, fields: Sequence[str]) -> bool:
    """`take the price down to 130`, `knock 10 off`, `have the title say …`, `make that 150`."""
    if _AGREED_AMOUNT.match(request):
        return True
    names_field = _names(request, fields)
    if names_field and _REMOVED.match(request):
        return True
    if _MOVED.match(request):
        by = _BY_HOW_MUCH.search(request)
        return (names_field and bool(by or _WHAT.search(request))) or (by is not None)
    if _STATEMENT.match(request) or _CHANGE.match(request):
        return False
    return names_field and _DONE_TO.search(request) is not None
