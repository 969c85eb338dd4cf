"""What a pack declares for chats about its records; the engine does everything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as with_default
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from whence.chat.record_view import RecordView


@dataclass(frozen=True)
class ByClaim:
    """Cites the claim at this path of the current dossier, and the claim's evidence."""

    path: str


@dataclass(frozen=True)
class ByEvidence:
    """Cites a piece of evidence from the current dossier's run."""

    evidence_id: UUID


@dataclass(frozen=True)
class ByRecord:
    """Cites a field of the record, as somebody entered it."""

    field: str


@dataclass(frozen=True)
class ByRule:
    """Cites a rule of the pack, such as a section of a statute."""

    title: str
    text: str
    url: str | None = None


@dataclass(frozen=True)
class ByRun:
    """Cites a run of the record; None means the current dossier's run with the dossier's body."""

    run_id: UUID | None = None


@dataclass(frozen=True)
class ByPage:
    """Cites an entry of the page on which the question was asked."""

    entry: str


Citation = ByClaim | ByEvidence | ByRecord | ByRule | ByRun | ByPage


@dataclass(frozen=True)
class Statement:
    """One sentence of an answer by rules, and what it cites.

    A statement that cites nothing must state no fact: an offer, a question, or that something is
    not known.
    """

    text: str
    by: tuple[Citation, ...] = ()


@dataclass(frozen=True)
class Topic:
    """Something people ask about that the dossier can answer without a model.

    `words` are case-insensitive regular expressions; the topic with the most matches answers, the
    first of equals.  `answer` receives the question as written.
    """

    name: str
    title: str
    """What it answers, for the list of topics: `price and its range`."""
    words: tuple[str, ...]
    answer: Callable[[RecordView, str], Sequence[Statement]]
    example: str
    """An example question, as a person would ask it."""
    answers_requests: bool = False
    """It answers a request too, which without a value would be a change: `write a description`."""
    decides: tuple[str, ...] = ()
    """Expressions that decide: a question with one is about this topic, however many words of
    others it has, and whatever examples teach."""


@dataclass(frozen=True)
class Editable:
    """A field that can be changed from chat, the words people use for it, and how to parse a value.

    `read` takes the words after `to`, and the view with the changes the message has made so far.
    It returns the value as in the record's JSON, or raises Invalid with a message for the person.
    By default the field's own type parses the value.
    """

    field: str
    words: tuple[str, ...]
    read: Callable[[str, RecordView], Any] | None = None
    by_name: bool = False
    """A field of names and values that takes what no other field is called: `set the colour to red`
    sets `colour` in it."""
    asked_by: tuple[str, ...] = ()
    """Case-insensitive expressions that ask for a change of this field without naming it, such as
    `exclude .*`; `read` then takes the whole sentence."""
    preview: Callable[[RecordView, Any], str] | None = None
    """What a value would do, in a sentence that the answer and the proposal show; empty for
    nothing."""
    in_words: Callable[[RecordView, Any], str] | None = None
    """A value, also an empty one, as people read it, where its JSON says little."""
    concluded: Mapping[str, str] = with_default(default_factory=dict[str, str])
    """Paths of claims by the name of the value that they conclude: after `price it at the target`
    the value is that of the claim `price.target.amount`, which the proposal cites."""


@dataclass(frozen=True)
class Suggested:
    """A field with `concluded` values: a model proposes one by its name."""

    tool: str
    """The name of the model's tool: `suggest_price`."""
    description: str
    """What the tool proposes and when, in a sentence."""
    field: str


@dataclass(frozen=True)
class AskedRunType:
    """A type of run that a request for research can mean: the first whose words occur is requested.

    Where the record has nothing that it could build on, the flow's first type runs instead, and the
    answer says so.
    """

    name: str
    title: str
    """What is started, in a sentence: `a refresh of the price`."""
    words: tuple[str, ...]
    """Case-insensitive regular expressions, of which one has to occur."""
    unless: tuple[str, ...] = ()
    """Expressions of which none may occur."""

    def is_meant_by(self, message: str) -> bool:
        """Whether a message that asks for research asks for this type."""

        def occurs(each: str) -> bool:
            return re.search(each, message, re.IGNORECASE) is not None

        return any(map(occurs, self.words)) and not any(map(occurs, self.unless))


@dataclass(frozen=True)
class Chat:
    """The chat about one kind of record.  `prompt` is the Markdown file of the system prompt."""

    kind: str
    prompt: Path
    topics: Sequence[Topic]
    editable: Sequence[Editable] = ()
    amount_field: str | None = None
    """The field that a bare amount means: `make it 145` changes it, and `145?` asks whether it
    should.  Without one the chat asks which field is meant."""
    facts_field: str | None = None
    """The text that takes facts which no other field holds: after `the cable is missing` the chat
    asks whether to add that to it."""
    span: tuple[str, str] | None = None
    """The fields of the first and the last day: `extend it by a week` moves the last, `move it a
    week later` both."""
    examples: Sequence[Path] = ()
    """JSON Lines files of messages with their `intent`, from which the rules learn what messages
    about such a record ask for, besides the engine's own examples."""
    topic_examples: Sequence[Path] = ()
    """JSON Lines files of questions with the name of their `topic`, or `none`.  With them a
    classifier finds the topic of a question, and `words` are but a hint to it; what is like no
    topic is refused with the list of topics.  Without them the most words decide."""
    topics_by_words: bool = False
    """The topic with the most `words` in a question answers it, and `topic_examples` teach only
    what no expression matches."""
    word_families: Mapping[str, str] = with_default(default_factory=dict[str, str])
    """Words that mean much the same to the classifier of topics, by a name: `doctor` for
    `physicians?|clinics?`.  Case-insensitive expressions of whole words."""
    stale_after: timedelta = timedelta(days=30)
    """The chat announces older research as stale and offers to refresh it."""
    researched_at: Callable[[RecordView], datetime | None] = lambda view: None
    """The time of the research behind the current dossier; None for the time of the dossier."""
    run_types: Sequence[AskedRunType] = ()
    """Types of run of the kind's first flow that people can ask for by their words."""
    suggested: Sequence[Suggested] = ()
    """Values of fields that research concludes, for a model to propose."""
    covers: str | None = None
    """What the answers cover and whom to ask about anything else, in a refusal; without it a
    refusal names the first topics."""
    otherwise: Callable[[RecordView, str], Sequence[Statement]] = lambda view, question: ()
    """Answers a question on no topic, such as from the record's own words; nothing where it cannot,
    and then the chat says what it can answer."""
    needs_research: bool = True
    """Without research, an answer ends with an offer to start it.  False where the answers follow
    from the record itself, so that nothing is lacking."""
    tools: Sequence[str] = ()
    """Names of the pack's tools that a chat about such a record may use."""
    wizards: Sequence[str] = ()
    """Ids of the wizards that can be started in such a chat."""
