"""Corrects the spelling of a message: abbreviations and typing errors, but not quotations."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import OSA

from whence.chat.offer import Chat, Editable

QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`")
"""Quoted words."""
MIN_CORRECTED_LETTERS = 5
"""Letters; shorter words are one typing error away from many others."""
_ALSO = ("research", "refresh", "search", "again", "comparables", "please")
_WORD = re.compile(r"[a-z]{5,}")
_SHORT = dict(
    pair.split("=")
    for pair in [
        "u=you",
        "ur=your",
        "r=are",
        "wat=what",
        "wut=what",
        "wht=what",
        "cud=could",
        "shud=should",
        "plz=please",
        "whats=what's",
        "wheres=where's",
        "whos=who's",
        "hows=how's",
        "thats=that's",
        "lets=let's",
        "im=i'm",
        "ive=i've",
        "cant=can't",
        "dont=don't",
        "doesnt=doesn't",
        "didnt=didn't",
        "isnt=isn't",
        "wont=won't",
        "wouldnt=wouldn't",
        "couldnt=couldn't",
        "shouldnt=shouldn't",
        "qty=quantity",
        "desc=description",
        "cond=condition",
    ]
) | {"wanna": "want to", "gotta": "have to", "gonna": "going to", "gimme": "give me"}
"""Abbreviations people type; none of them is a word of its own here."""
_SPLIT_PREFIX = re.compile(
    r"\bre[ -](?=(?:do|run|check|search|research|assess|evaluate|value|examine|fresh|start|scan|"
    r"analy[sz]e|appraise)\b)"
)
"""`re do` as `redo`."""
_SHORTENED = re.compile(rf"(?<![\w'])(?:{'|'.join(_SHORT)})(?![\w'])")


def editable_words(chat: Chat) -> list[str]:
    """The words for fields that can be changed, as patterns, longest first."""
    words = {word.lower() for field in chat.editable for word in _names(field)}
    words |= {word.replace("_", " ") for word in words}
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return [r"\s+".join(map(re.escape, word.split())) for word in ordered]


def find_field(words: str, chat: Chat) -> Editable | None:
    """The field with this name."""
    normalized = " ".join(words.lower().replace("_", " ").split())
    return next(
        (
            field
            for field in chat.editable
            if normalized in {" ".join(w.lower().replace("_", " ").split()) for w in _names(field)}
        ),
        None,
    )


def expand_abbreviations(text: str) -> str:
    """A message in lower case with `u` as `you`, `whats` as `what's` and `re run` as `rerun`."""
    return _SPLIT_PREFIX.sub("re", _SHORTENED.sub(lambda match: _SHORT[match[0]], text))


def correct_spelling(text: str, chat: Chat, verbs: Iterable[str]) -> str:
    """A message in lower case with `chnage` as `change` and `pirce` as `price`.

    Corrects verbs of change, words of research and the pack's words for its fields, and only one
    letter too many, too few or swapped with its neighbour: `charge` does not become `change`.
    """
    vocabulary = {word for field in chat.editable for name in field.words for word in name.split()}
    vocabulary = {
        word.lower() for word in (*vocabulary, *verbs, *_ALSO) if len(word) >= MIN_CORRECTED_LETTERS
    }
    return _WORD.sub(lambda match: _closest_known_word(match[0], vocabulary), text)


def correct_field_words(text: str, chat: Chat) -> str:
    """A message as written, with the pack's words for its fields corrected outside quotations."""
    quotes = [match.span() for match in QUOTED.finditer(text)]

    def correct(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in quotes):
            return match[0]
        word = match[0].lower()
        corrected = correct_spelling(word, chat, ())
        return match[0] if corrected == word else corrected

    return re.sub(r"[A-Za-z]{5,}", correct, text)


def _closest_known_word(word: str, vocabulary: set[str]) -> str:
    if word in vocabulary:
        return word
    for each in sorted(vocabulary):
        slipped = sorted(word) == sorted(each) or len(word) != len(each)
        ending = word.startswith(each) or each.startswith(word)
        if slipped and not ending and OSA.distance(word, each, score_cutoff=1) <= 1:
            return each
    return word


def _names(field: Editable) -> tuple[str, ...]:
    return (*field.words, field.field)
