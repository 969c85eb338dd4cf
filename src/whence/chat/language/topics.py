"""Which topic of a chat a question is about, learned from the pack's examples.

The classifier sees words and letters in a row, and as flags which topics' expressions and which
families of words occur.  It knows a label for what is no topic; where no label is likely enough,
there is no topic either, so that what the pack cannot answer is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rapidfuzz.distance import OSA

from whence.chat.language.classifier import Classifier, features
from whence.chat.language.spelling import expand_abbreviations
from whence.chat.offer import Chat, Topic
from whence.kernel.errors import Invalid

NONE = "none"
"""The label of examples that are about no topic: changes, requests for research, small talk."""
REGULARIZATION = 0.00001
"""With the smallest calibration error by 5-fold cross-validation over the leave pack's examples, so
that a probability is one."""
LIKELY = 0.25
"""The probability from which a topic answers: a wrong answer, which names its section, is taken to
cost a third of what a right one is worth."""
SURE = 0.5
"""The probability from which what sounds like a change or a request for research is a question."""
_LONG_WORD = re.compile(r"[A-Za-z]{7,}")
"""Words of which a letter left out, doubled or swapped leaves no doubt what is meant."""
_NUMBER = re.compile(r"\d[\d.,'/:-]*")


@dataclass(frozen=True)
class TopicReading:
    """The likeliest topic of a question; None where it is about none of them."""

    topic: Topic | None
    probability: float


def read_topic(chat: Chat, question: str) -> TopicReading:
    """The topic of a question, for a chat that has examples of topics; one whose expressions
    decide is certain."""
    for topic in chat.topics:
        if any(re.search(each, question, re.I) for each in topic.decides):
            return TopicReading(topic, 1.0)
    written = _as_spelled(chat, question)
    shares = _classifier_of(chat).probabilities(_features(chat, written))
    label = max(shares, key=lambda each: shares[each])
    topic = next((each for each in chat.topics if each.name == label), None)
    return TopicReading(topic if shares[label] >= LIKELY else None, shares[label])


def labelled_features(chat: Chat) -> list[tuple[set[str], str]]:
    """What the classifier learns from: each topic's own example, and the files of the pack.

    Raises:
        Invalid: a line of a file is no text with the name of a topic or `none` (names it).
    """
    labels = {NONE, *(topic.name for topic in chat.topics)}
    examples = [(topic.example, topic.name) for topic in chat.topics]
    examples += [each for path in chat.topic_examples for each in _read_examples(path, labels)]
    return [(_features(chat, text), label) for text, label in examples]


def _read_examples(path: Path, labels: Collection[str]) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            text, label = row["text"], row["topic"]
        except (ValueError, TypeError, KeyError) as error:
            raise Invalid(f"{path}, line {number}: not a text with its topic") from error
        if label not in labels:
            raise Invalid(f"{path}, line {number}: there is no topic '{label}'")
        yield text, label


_CLASSIFIERS: dict[tuple[str, tuple[Path, ...]], Classifier] = {}


def topic_classifier_for(chat: Chat) -> Classifier | None:
    """The classifier of a chat that has examples of topics, trained when first asked for."""
    return _classifier_of(chat) if chat.topic_examples else None


def _classifier_of(chat: Chat) -> Classifier:
    key = chat.kind, tuple(chat.topic_examples)
    if key not in _CLASSIFIERS:
        _CLASSIFIERS[key] = Classifier(labelled_features(chat), REGULARIZATION)
    return _CLASSIFIERS[key]


def _features(chat: Chat, question: str) -> set[str]:
    expanded = expand_abbreviations(question.lower())
    text = _NUMBER.sub("num", expanded)
    plain = " ".join(re.sub(r"([?!.,:;])", r" \1 ", text).split())
    return features(plain, _flags(chat, expanded))


def _as_spelled(chat: Chat, question: str) -> str:
    """A question with long words as the pack's examples spell them: `certfication`."""
    known = _long_words(tuple(chat.topic_examples))
    return _LONG_WORD.sub(lambda match: _nearest(match[0], known), question)


def _nearest(word: str, known: frozenset[str]) -> str:
    lower = word.lower()
    if lower in known or lower.removesuffix("s") in known or f"{lower}s" in known:
        return word
    near = [
        each
        for each in known
        if OSA.distance(lower, each, score_cutoff=1) <= 1
        and (len(each) != len(lower) or sorted(each) == sorted(lower))
    ]
    return near[0] if len(near) == 1 and near[0][0] == lower[0] else word


@lru_cache(maxsize=16)
def _long_words(paths: tuple[Path, ...]) -> frozenset[str]:
    texts = (path.read_text("utf-8").lower() for path in paths)
    return frozenset(word for text in texts for word in _LONG_WORD.findall(text))


def _flags(chat: Chat, question: str) -> Iterator[str]:
    for topic in chat.topics:
        matches = sum(re.search(word, question, re.I) is not None for word in topic.words)
        if matches:
            yield f"words of {topic.name}"
        if matches > 1:
            yield f"many words of {topic.name}"
    for name, words in chat.word_families.items():
        if re.search(rf"\b(?:{words})\b", question, re.I):
            yield f"family {name}"
