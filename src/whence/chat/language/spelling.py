"""Corrects typing errors in a message, but not in quotations, and finds its words for fields."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from whence.chat.language.question_words import correct_question_words
from whence.chat.language.vocabulary import OPERATIONS, VERBS
from whence.chat.offer import Chat, Editable

QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`")
"""Quoted words."""
MIN_CORRECTED_LETTERS = 5
"""Letters; shorter words are one typing error away from many others."""
_ALSO = ("research", "refresh", "search", "again", "comparables", "please", "letter")
_WORD = re.compile(r"[A-Za-z]{4,}")
_SHORT = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "wat": "what",
    "wut": "what",
    "wht": "what",
    "cud": "could",
    "shud": "should",
    "plz": "please",
    "pls": "please",
    "im": "i'm",
    "wanna": "want to",
    "gotta": "have to",
    "gonna": "going to",
    "gimme": "give me",
    "whats": "what's",
    "wheres": "where's",
    "hows": "how's",
    "thats": "that's",
    "lets": "let's",
    "dont": "don't",
    "doesnt": "doesn't",
    "didnt": "didn't",
    "cant": "can't",
    "isnt": "isn't",
    "wont": "won't",
    "bc": "because",
    "cuz": "because",
    "w/o": "without",
    "ppl": "people",
    "mgr": "manager",
    "dr": "doctor",
    "doc": "doctor",
    "appt": "appointment",
    "appts": "appointments",
    "wk": "week",
    "wks": "weeks",
    "yrs": "years",
    "mins": "minutes",
    "hrs": "hours",
    "wouldnt": "wouldn't",
    "shouldnt": "shouldn't",
}
"""Abbreviations people type; none of them is a word of its own here."""
_SHORT_UNITS = {"hours": "hrs", "week": "wk", "weeks": "wks", "months": "mos"}
_LONG_UNITS = {short: long for long, short in _SHORT_UNITS.items()}
_SHORTENED = re.compile(rf"(?<![\w'])(?:{'|'.join(_SHORT)})(?![\w'])")
_SPLIT_PREFIX = re.compile(r"\bre[ -](?=(?:do|run|check|search|research|assess|evaluate|price)\b)")


def words_of(field: Editable) -> tuple[str, ...]:
    """Every word for a field, with its own name."""
    return (*field.words, field.field.replace("_", " "))


@lru_cache(maxsize=64)
def _field_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    ordered = sorted({*words}, key=lambda word: (-len(word), word))
    forms = "|".join(r"[\s_]+".join(map(_written, word.split())) for word in ordered)
    return re.compile(rf"(?<![\w-])(?:{forms or '(?!)'})(?![\w-])", re.I)


def _written(word: str) -> str:
    """A word of a name, also shortened: `hrs` for `hours`."""
    return rf"(?:{word}|{_SHORT_UNITS[word]})" if word in _SHORT_UNITS else re.escape(word)


def field_pattern(chat: Chat) -> re.Pattern[str]:
    """The words for fields that can be changed, longest first."""
    return _field_pattern(tuple(word for field in chat.editable for word in words_of(field)))


def find_field(words: str, chat: Chat) -> Editable | None:
    """The field with this name."""
    spelled = (_LONG_UNITS.get(each, each) for each in words.lower().replace("_", " ").split())
    name = " ".join(spelled)
    return next((each for each in chat.editable if name in map(str.lower, words_of(each))), None)


def expand_abbreviations(text: str) -> str:
    """A message in lower case with `u` as `you`, `whats` as `what's` and `re run` as `rerun`."""
    lower = " ".join(text.lower().replace("’", "'").split())
    return _SPLIT_PREFIX.sub("re", _SHORTENED.sub(lambda match: _SHORT[match[0]], lower))


def correct_spelling(text: str, chat: Chat) -> str:
    """A message as written, with `chnage` as `change` and `pirce` as `price` outside quotations.

    Corrects verbs of change, words of research and the pack's words for its fields, and only one
    letter too many, too few or swapped with its neighbour: `charge` does not become `change`.
    """
    text = correct_question_words(text)
    quotes = [match.span() for match in QUOTED.finditer(text)]
    vocabulary = _vocabulary(tuple(word for field in chat.editable for word in field.words))

    def correct(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in quotes):
            return match[0]
        closest = _closest_known_word(match[0].lower(), vocabulary)
        return match[0] if closest == match[0].lower() else closest

    return _WORD.sub(correct, text)


@lru_cache(maxsize=64)
def _vocabulary(field_words: tuple[str, ...]) -> tuple[str, ...]:
    words = {word.lower() for name in field_words for word in name.split()}
    return tuple(sorted(w for w in {*words, *VERBS, *_ALSO} if len(w) >= MIN_CORRECTED_LETTERS))


def _lacks_a_vowel(word: str, known: str) -> bool:
    """Whether a short word is this one without one of its vowels: `prce`."""
    shorter = {known[:at] + known[at + 1 :] for at, each in enumerate(known) if each in "aeiou"}
    return word in shorter and known[0] == word[0]


@lru_cache(maxsize=4096)
def _closest_known_word(word: str, vocabulary: tuple[str, ...]) -> str:
    if word in vocabulary or word in OPERATIONS or word.removesuffix("ing") in OPERATIONS:
        return word
    if len(word) < MIN_CORRECTED_LETTERS:
        fields = (each for each in vocabulary if each not in VERBS and each not in _ALSO)
        return next((each for each in fields if _lacks_a_vowel(word, each)), word)
    for each in vocabulary:
        if abs(len(each) - len(word)) > 1 or OSA.distance(word, each, score_cutoff=1) > 1:
            continue
        slipped = sorted(word) == sorted(each) or len(word) != len(each)
        if slipped and not (word.startswith(each) or each.startswith(word)):
            return each
    return word
