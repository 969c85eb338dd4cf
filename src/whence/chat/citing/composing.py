"""Answers by rules: finds the topics a question asks about and cites a source per sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from whence.chat.citing.changes_since import asks_what_changed, list_changes
from whence.chat.citing.citations import sources_of
from whence.chat.citing.sources import Source, SourceBook
from whence.chat.language.intents import is_asked
from whence.chat.language.language_detection import ENGLISH_ONLY, is_other_language
from whence.chat.language.length_limit import readable_part
from whence.chat.language.out_of_reach import asks_for_help, out_of_reach
from whence.chat.language.question_words import correct_question_words
from whence.chat.language.spelling import correct_spelling
from whence.chat.language.topics import SURE, read_topic
from whence.chat.offer import ByClaim, ByRun, Chat, Statement, Topic
from whence.chat.record_view import RecordView
from whence.kernel.words import sentences

BY_RULES = "This answer was compiled by rules, without a language model."
MAX_TOPICS = 4
"""Topics in one answer; nobody would read a longer one."""
DECIDED = 1_000
"""More expressions than a topic has."""
NAMED_TOPICS = 6
"""Topics that a refusal names; `help` lists all."""
CANNOT_ANSWER = "Without a language model I cannot answer that."
_PART = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+(?:and|plus|as well as)\s+(?:also\s+)?", re.I)
_BARE = re.compile(
    r"\W*(?:why|how|how come|what for|when|where|which(?: one)?|who|now what|"
    r"what (?:now|then)|so what|then what|ok|right)\W*",
    re.I,
)
_BARE_QUESTION = re.compile(
    r"\W*(?:(?:so|and|but|then)\W+)?(?:can|may|could|should|must|do|does|is|are|will|would)\s+"
    r"(?:they|he|she|it|that|this|we|i|you)"
    r"(?:\s+(?:really|even))?(?:\s+(?:do|ask|say|require)\s+(?:that|this|it|so))?"
    r"(?:\s+(?:allowed|legal|lawful|right|ok|okay|true|fair|normal)(?:\s+to)?)?\W*",
    re.I,
)
"""Says nothing of what it asks about: `Can they?`, `Is that allowed?`."""
_END = re.compile(r"([.!?…:]+[\"”’)]*)\s*$")


class _HasWords(Protocol):
    @property
    def words(self) -> Sequence[str]: ...


T_co = TypeVar("T_co", bound=_HasWords, covariant=True)


class Topics(Protocol[T_co]):
    """Anything that offers topics: a chat or a page."""

    @property
    def topics(self) -> Sequence[T_co]: ...


def compose(chat: Chat, view: RecordView, question: str, book: SourceBook) -> str:
    """The answer with markers; every source it cites is added to the book.

    A sentence whose sources are gone is left out, never given without them.  The answer also states
    the limits of the research: none yet, partial, a fallback, claims that failed their check.
    """
    question = correct_question_words(readable_part(question))
    answer_text = _AnswerText(view, book)
    if view.dossier is not None and asks_what_changed(question):
        statements = " ".join(answer_text.with_marks(*each) for each in list_changes(view))
        return "\n\n".join([statements, *_as_paragraph(answer_text.limits()), BY_RULES])
    if asks_for_help(question):
        return list_topics(chat, view, question)
    topics = topics_of(chat, question) or topics_of(chat, correct_spelling(question, chat))
    if not topics:
        statements = " ".join(answer_text.sentences(chat.otherwise(view, question)))
        return f"{statements}\n\n{BY_RULES}" if statements else refuse(chat, view, question)
    answers: list[str] = []
    unanswered: list[str] = []
    for topic in topics[:MAX_TOPICS]:
        statements = topic.answer(view, question)
        if answer := " ".join(answer_text.sentences(statements)):
            answers.append(answer)
        elif not statements or not all(map(answer_text.includes, statements)):
            unanswered.append(topic.title)
    if unanswered:
        answers.append(_cannot_answer(unanswered, view))
    if more := [topic.title for topic in topics[MAX_TOPICS:]]:
        answers.append(f"Ask me again about {', and '.join(more)}.")
    limits = answer_text.limits() if view.dossier or chat.needs_research else []
    return "\n\n".join([*answers, *_as_paragraph(limits), BY_RULES])


def topics_of(offer: Topics[T_co], question: str) -> list[T_co]:
    """The topics a question asks about, in its order; more than one if its parts ask for several.

    A bare `…, and why?` adds no topic, and neither does a statement made beside the question.
    """
    question = readable_part(question)
    question_sentences = sentences(question)
    asking = [sentence for sentence in question_sentences if is_asked(sentence)]
    if not asking or all(map(_BARE_QUESTION.fullmatch, asking)):
        asking = question_sentences
    parts = [part for each in asking for part in _PART.split(each) if not _BARE.fullmatch(part)]
    topics = _topics_of_parts(offer, parts)
    distinct = [topic for at, topic in enumerate(topics) if topic not in topics[:at]]
    whole = topic_of(offer, " ".join(asking)) or topic_of(offer, question)
    return distinct if len(distinct) > 1 else [whole] if whole is not None else []


def _topics_of_parts(offer: Topics[T_co], parts: Sequence[str]) -> list[T_co]:
    """The topic of each part; beside one that is sure, an unsure one adds none: `is that ok`."""
    chat = _with_examples(offer)
    learns = chat is not None and not chat.topics_by_words
    readings = [
        (topic, read_topic(chat, readable_part(part)).probability if learns and chat else 1.0)
        for part in parts
        if (topic := topic_of(offer, part)) is not None
    ]
    is_sure = any(probability >= SURE for _, probability in readings)
    return [topic for topic, probability in readings if probability >= SURE or not is_sure]


def topic_of(offer: Topics[T_co], question: str) -> T_co | None:
    """The topic that a chat's examples teach; without examples the one with the most words in the
    question, the first of equals; None without a match."""
    question = readable_part(question)
    chat = _with_examples(offer)
    if chat is not None and not is_other_language(question):  # the examples are English
        if chat.topics_by_words and (by_words := _most_words(offer, question)) is not None:
            return by_words
        learned = read_topic(chat, question).topic
        names = [topic.name for topic in chat.topics]
        return offer.topics[names.index(learned.name)] if learned is not None else None
    return _most_words(offer, question)


def _most_words(offer: Topics[T_co], question: str) -> T_co | None:
    scored = [(_matches(topic, question), topic) for topic in offer.topics]
    best = max((score for score, _ in scored), default=0)
    return next((topic for score, topic in scored if score == best), None) if best else None


def _with_examples(offer: object) -> Chat | None:
    return offer if isinstance(offer, Chat) and offer.topic_examples else None


def refuse(chat: Chat, view: RecordView, question: str) -> str:
    """Says in a few sentences that it cannot answer, and what it can."""
    if (reason := out_of_reach(question, view.kind.title.lower())) is not None:
        return reason
    if is_other_language(question):
        return list_topics(chat, view, question)
    if chat.covers:
        return f"{CANNOT_ANSWER} {chat.covers} Say “help” for examples."
    titles = [topic.title.partition(",")[0] for topic in chat.topics]
    more = ["and more"] if len(titles) > NAMED_TOPICS else []
    offer = " Shall I research it first?" if view.dossier is None else ""
    named = "; ".join([*titles[:NAMED_TOPICS], *more])
    return f"{CANNOT_ANSWER} I can answer about: {named}. Say “help” for examples.{offer}"


def list_topics(chat: Chat, view: RecordView, question: str) -> str:
    """The topics that rules can answer here, each with an example; states no facts."""
    thing = view.kind.title.lower()
    lines = [f"- {topic.title}: “{topic.example}”" for topic in chat.topics]
    if view.dossier is not None:
        lines.append("- what changed since the previous research: “What changed since last time?”")
    list_of_topics = "\n".join([topic_list_heading(question), *lines])
    closing: list[str] = []
    if chat.editable:
        names = ", ".join(field.words[0] if field.words else field.field for field in chat.editable)
        closing.append(f"I can also propose changes to this {thing} ({names}).")
    closing.append("Shall I research it first?" if view.dossier is None else "What would you like?")
    return f"{list_of_topics}\n\n{' '.join(closing)}"


def topic_list_heading(question: str) -> str:
    """The heading of the list of topics, which says why it replaces an answer."""
    if is_other_language(question):
        return f"{ENGLISH_ONLY} In English I can answer questions about:"
    return "Without a language model I can answer questions about:"


def _as_paragraph(sentences: Sequence[str]) -> list[str]:
    return [" ".join(sentences)] if sentences else []


def _cannot_answer(titles: Sequence[str], view: RecordView) -> str:
    topics = " or about ".join(titles)
    if view.dossier is None:
        return f"I can answer about {topics} once this {view.kind.title.lower()} is researched."
    return f"I found nothing to base an answer about {topics} on."


class _AnswerText:
    """The sentences of an answer in the making, and the claims they cite."""

    def __init__(self, view: RecordView, book: SourceBook) -> None:
        self._look = view
        self._book = book
        self._marks: dict[Source, str] = {}
        self._paths: list[str] = []
        self._included: set[Statement] = set()

    def sentences(self, statements: Sequence[Statement]) -> list[str]:
        """The statements as text, each only once however many topics make it."""
        texts: list[str] = []
        for each in statements:
            if self.includes(each) or (sentence := self._sentence(each)) is None:
                continue
            self._included.add(each)
            texts.append(sentence)
        return texts

    def includes(self, statement: Statement) -> bool:
        """Whether the answer already has this statement."""
        return statement in self._included

    def limits(self) -> list[str]:
        """What a reader must know about the limits of the research behind these sentences."""
        view = self._look
        thing = view.kind.title.lower()
        dossier = view.dossier
        if dossier is None:
            return [f"This {thing} has not been researched yet. Shall I start?"]
        limits: list[str] = []
        for path in dict.fromkeys(self._paths):
            claim = view.claim(path)
            if claim is not None and claim.verdict == "unsupported":
                why = f" ({claim.note})" if claim.note else ""
                limits.append(
                    self._cited(f"Not confirmed by its evidence: “{claim.statement}”{why}.")
                )
        if dossier.is_partial:
            rest = f"; not done: {'; '.join(dossier.not_done)}" if dossier.not_done else ""
            limits.append(self._cited(f"The research is incomplete{rest}."))
        notices = list(dossier.notices)
        if dossier.fallback and dossier.fallback.notice not in notices:
            notices.append(dossier.fallback.notice)
        return limits + [self._cited(_with_full_stop(notice)) for notice in notices]

    def _sentence(self, statement: Statement) -> str | None:
        text = statement.text.strip()
        if not statement.by:
            return text
        sources = [
            source for citation in statement.by for source in sources_of(citation, self._look)
        ]
        if not sources:
            return None
        self._paths += [
            source_of.path for source_of in statement.by if isinstance(source_of, ByClaim)
        ]
        return self.with_marks(text, sources)

    def _cited(self, text: str) -> str:
        return self.with_marks(text, sources_of(ByRun(), self._look))

    def with_marks(self, text: str, sources: Sequence[tuple[str, Source]]) -> str:
        """A sentence with the markers of these sources, each added to the book once.

        Evidence behind a claim is cited with the first sentence that rests on it: the claim itself
        is enough for the others.
        """
        if any(source.kind == "claim" for _, source in sources):
            sources = [
                each for each in sources if each[1].kind != "evidence" or each[1] not in self._marks
            ]
        marks = "".join(dict.fromkeys(self._mark(tool, source) for tool, source in sources))
        return insert_markers(text, [marks])

    def _mark(self, tool: str, source: Source) -> str:
        if source not in self._marks:
            self._marks[source] = str(self._book.add(tool, source))
        return self._marks[source]


def insert_markers(text: str, marks: Iterable[str]) -> str:
    """A sentence with its markers before its closing punctuation."""
    joined = "".join(marks)
    return _END.sub(rf" {joined}\1", text) if _END.search(text) else f"{text} {joined}"


def _matches(topic: _HasWords, question: str) -> int:
    """How many of its expressions occur, or more than any topic has where one of them decides."""
    decides = topic.decides if isinstance(topic, Topic) else ()
    if any(re.search(each, question, re.I) for each in decides):
        return DECIDED
    return sum(re.search(word, question, re.I) is not None for word in topic.words)


def _with_full_stop(text: str) -> str:
    return text if _END.search(text) else f"{text}."
