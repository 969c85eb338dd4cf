"""An answer by rules: the topics that a question asks for, as sentences with their sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from whence.chat.citing.changes_since import asks_what_changed, what_changed
from whence.chat.citing.citations import sources_of
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.language.intents import is_asked
from whence.chat.language.language_detection import ENGLISH_ONLY, is_other_language
from whence.chat.language.length_limit import readable_part
from whence.chat.offer import ByClaim, ByRun, Chat, Statement
from whence.chat.record_view import RecordView
from whence.kernel.words import sentences

BY_RULES = "This answer was put together by rules, without a language model."
MOST_TOPICS = 4
"""In one answer: whoever asks for more gets a page that nobody reads."""
_PART = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+(?:and|plus|as well as)\s+(?:also\s+)?", re.I)
_BARE = re.compile(r"\W*(?:why|how|how come|what for|when|where|which|who)\W*", re.I)
_END = re.compile(r"([.!?…:]+[\"”’)]*)\s*$")


class _Named(Protocol):
    @property
    def words(self) -> Sequence[str]: ...


T_co = TypeVar("T_co", bound=_Named, covariant=True)


class Topics(Protocol[T_co]):
    """Whatever offers topics, a chat or a page."""

    @property
    def topics(self) -> Sequence[T_co]: ...


def compose(chat: Chat, look: RecordView, question: str, book: SourceBook) -> str:
    """The answer with markers; every source that it cites is put into the book.

    A sentence whose carriers are not there any more is left out, never said without them.  What
    limits the research (none yet, partial, a fallback, claims that failed their check) is told.
    """
    question = readable_part(question)
    wording = _Wording(look, book)
    if look.dossier is not None and asks_what_changed(question):
        told = " ".join(wording.with_marks(*each) for each in what_changed(look))
        return "\n\n".join([told, *_joined(wording.limits()), BY_RULES])
    topics = topics_of(chat, question)
    if not topics:
        return what_can_be_asked(chat, look, question)
    answers: list[str] = []
    silent: list[str] = []
    for topic in topics[:MOST_TOPICS]:
        told = topic.answer(look, question)
        if answer := " ".join(wording.sentences(told)):
            answers.append(answer)
        elif not told or not all(map(wording.was_said, told)):
            silent.append(topic.title)
    if silent:
        answers.append(_cannot(silent, look))
    if rest := [topic.title for topic in topics[MOST_TOPICS:]]:
        answers.append(f"Ask me again about {', and '.join(rest)}.")
    return "\n\n".join([*answers, *_joined(wording.limits()), BY_RULES])


def topics_of(offer: Topics[T_co], question: str) -> list[T_co]:
    """The topics that a question asks for, in its order; several where its parts ask for others.

    A bare `…, and why?` asks nothing of its own; what is only told beside a question asks nothing.
    """
    question = readable_part(question)
    told = sentences(question)
    asked = [sentence for sentence in told if is_asked(sentence)] or told
    parts = [part for each in asked for part in _PART.split(each) if not _BARE.fullmatch(part)]
    found = [topic for part in parts if (topic := topic_of(offer, part)) is not None]
    several = [topic for at, topic in enumerate(found) if topic not in found[:at]]
    whole = topic_of(offer, " ".join(asked)) or topic_of(offer, question)
    return several if len(several) > 1 else [whole] if whole is not None else []


def topic_of(offer: Topics[T_co], question: str) -> T_co | None:
    """The topic most of whose words the question has; the first of equals, None without any."""
    question = readable_part(question)
    scored = [(_matches(topic, question), topic) for topic in offer.topics]
    best = max((score for score, _ in scored), default=0)
    return next((topic for score, topic in scored if score == best), None) if best else None


def what_can_be_asked(chat: Chat, look: RecordView, question: str) -> str:
    """What rules can answer here, with an example for each topic; claims nothing."""
    thing = look.kind.title.lower()
    lines = [f"- {topic.title}: “{topic.example}”" for topic in chat.topics]
    if look.dossier is not None:
        lines.append("- what research says now that it did not: “What changed since last time?”")
    asked = "\n".join([can_answer(question), *lines])
    rest: list[str] = []
    if chat.editable:
        names = ", ".join(field.words[0] if field.words else field.field for field in chat.editable)
        rest.append(f"I can also propose changes to this {thing} ({names}).")
    rest.append("Shall I research it first?" if look.dossier is None else "What would you like?")
    return f"{asked}\n\n{' '.join(rest)}"


def can_answer(question: str) -> str:
    """The head of the list of topics: why it comes in place of an answer."""
    if is_other_language(question):
        return f"{ENGLISH_ONLY} In English I can answer on:"
    return "Without a language model I can answer on:"


def _joined(sentences: Sequence[str]) -> list[str]:
    return [" ".join(sentences)] if sentences else []


def _cannot(titles: Sequence[str], look: RecordView) -> str:
    on = ", nor on ".join(titles)
    if look.dossier is None:
        return f"I cannot answer on {on} before this {look.kind.title.lower()} was researched."
    return f"Nothing that carries an answer on {on} was found."


class _Wording:
    """Sentences on their way into the answer, and what they rest on."""

    def __init__(self, look: RecordView, book: SourceBook) -> None:
        self._look = look
        self._book = book
        self._marks: dict[Source, str] = {}
        self._paths: list[str] = []
        self._said: set[Statement] = set()

    def sentences(self, said: Sequence[Statement]) -> list[str]:
        """Each once, however many topics say it."""
        told: list[str] = []
        for each in said:
            if self.was_said(each) or (sentence := self._sentence(each)) is None:
                continue
            self._said.add(each)
            told.append(sentence)
        return told

    def was_said(self, said: Statement) -> bool:
        """Whether the answer has this sentence."""
        return said in self._said

    def limits(self) -> list[str]:
        """What a reader has to know about the research behind these sentences."""
        look = self._look
        thing = look.kind.title.lower()
        dossier = look.dossier
        if dossier is None:
            return [f"This {thing} has not been researched yet. Shall I start?"]
        told: list[str] = []
        for path in dict.fromkeys(self._paths):
            claim = look.claim(path)
            if claim is not None and claim.verdict == "unsupported":
                why = f" ({claim.note})" if claim.note else ""
                told.append(
                    self._cited(f"Not confirmed by its evidence: “{claim.statement}”{why}.")
                )
        if dossier.is_partial:
            rest = f"; not done: {'; '.join(dossier.not_done)}" if dossier.not_done else ""
            told.append(self._cited(f"The research ended early{rest}."))
        notices = list(dossier.notices)
        if dossier.fallback and dossier.fallback.notice not in notices:
            notices.append(dossier.fallback.notice)
        return told + [self._cited(_ended(notice)) for notice in notices]

    def _sentence(self, said: Statement) -> str | None:
        text = said.text.strip()
        if not said.by:
            return text
        carried = [found for by in said.by for found in sources_of(by, self._look)]
        if not carried:
            return None
        self._paths += [by.path for by in said.by if isinstance(by, ByClaim)]
        return self.with_marks(text, carried)

    def _cited(self, text: str) -> str:
        return self.with_marks(text, sources_of(ByRun(), self._look))

    def with_marks(self, text: str, carried: Sequence[tuple[str, Source]]) -> str:
        """A sentence with the markers of these sources, each put into the book once."""
        marks = "".join(dict.fromkeys(self._mark(tool, source) for tool, source in carried))
        return marked(text, [marks])

    def _mark(self, tool: str, source: Source) -> str:
        if source not in self._marks:
            self._marks[source] = str(self._book.add(tool, source))
        return self._marks[source]


def marked(text: str, marks: Iterable[str]) -> str:
    """A sentence with its markers before the sign that ends it."""
    shown = "".join(marks)
    return _END.sub(rf" {shown}\1", text) if _END.search(text) else f"{text} {shown}"


def _matches(topic: _Named, question: str) -> int:
    return sum(re.search(word, question, re.I) is not None for word in topic.words)


def _ended(text: str) -> str:
    return text if _END.search(text) else f"{text}."
