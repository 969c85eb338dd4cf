"""The nodes of the chat flow, except answers, changes and wizards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from langgraph.runtime import Runtime

from whence.chat.citing.changes_since import asks_what_changed
from whence.chat.citing.composing import topic_of
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.language_detection import is_other_language
from whence.chat.language.open_questions import ASSENT, OpenQuestion
from whence.chat.language.small_talk import small_talk
from whence.chat.language.understanding import Understanding, understand
from whence.chat.language.values import Unclear
from whence.chat.load_record_view import load_record_view
from whence.chat.offer import Chat
from whence.chat.pages.page import Page
from whence.chat.record_view import RecordView
from whence.chat.transcript import history
from whence.chat.transcript.tables import ChatMessage
from whence.chat.transcript.window import WINDOW, window
from whence.chat.turns.ending import end
from whence.chat.turns.read_by_rules import read_by_rules
from whence.chat.turns.research_request import submit_research
from whence.chat.turns.research_updates import begin_following
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import PageSubject, record_of
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, NotReady
from whence.research.run_type import OtherResearchUnderWay
from whence.tenancy import organization
from whence.tenancy.organization import OrganizationProfile

RULES = "rules:chat@1"
OFFER = "offer"
SURE = 0.6
"""The probability from which rules decide alone; below it a model does, where there is one."""
QUESTION = "question"
"""In an answer's `meta`: the question back that the next message may answer."""
_SENTENCE_END = re.compile(r"[.?!\n]")
_RESEARCH_OFFER = re.compile(r"\bresearch|\bshall I (?:start|look again)\b", re.I)


class TurnState(TypedDict, total=False):
    """The state that nodes pass on."""

    view: RecordView
    """The record; absent on a page that is not about a record."""
    organization: OrganizationProfile
    """The organization for which a model answers; absent without a model."""
    past: Sequence[ChatMessage]
    """The last messages, oldest first, without the one to answer."""
    intent: Intent
    understanding: Understanding
    """What rules read in a message about a record."""
    model_decides: bool
    """Rules are unsure and there is a model: it answers, with tools that propose and research."""


@dataclass(frozen=True)
class LastAnswer:
    """What about the last answer decides how to understand a short message."""

    was_unclear: bool
    offered_research: bool
    question: OpenQuestion | None = None
    """The question back about a change that it asked."""


async def route_input(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Does nothing: the turn's input alone decides where it goes."""
    return {}


def after_input(state: TurnState, runtime: Runtime[Turn]) -> Literal["run_wizard", "load_context"]:
    """Wizard input always goes to the wizard; no rule and no model decides."""
    return "load_context" if runtime.context.wizard_input is None else "run_wizard"


async def load_context(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Load the record with its research, and the last messages, in one transaction."""
    turn = runtime.context
    loaded: TurnState = {}
    async with turn.deps.db.unit(turn.who.org_id) as session:
        if record := record_of(turn.subject):
            kind = turn.deps.kinds[record.kind]
            compared = asks_what_changed(turn.content)
            loaded["view"] = await load_record_view(
                session, kind, record.subject_id, now(), compared=compared
            )
        past = await history.current_messages(
            session, turn.session_id, before=turn.ordinal, limit=WINDOW
        )
        if turn.deps.models().text is not None:
            loaded["organization"] = await organization.read(session)
    loaded["past"] = window(past, lambda message: message.role)
    return loaded


async def route_intent(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Find the intent of the message, by rules."""
    turn, view = runtime.context, state.get("view")
    previous = last_answer(state.get("past", ()))
    routed: TurnState = {}
    if view is not None:
        chat = turn.deps.chat(view.kind.kind)
        routed["understanding"] = understand(turn.content, chat, view, previous.question)
        intent = routed["understanding"].intent
    else:
        assert isinstance(turn.subject, PageSubject)  # a turn about a record has a record view
        intent = _intent_on_page(turn.content, turn.subject.at.page)
    intent = resolve_intent(intent, turn.content, previous)
    reading = routed.get("understanding")
    if reading is not None and turn.deps.models().text is not None:
        routed["model_decides"] = is_unsure(reading, intent, turn.content)
    turn.draft.intent = intent.value
    routed["intent"] = intent
    return routed


def after_intent(
    state: TurnState,
) -> Literal["answer_query", "handle_action", "start_research"]:
    """The node for the message; the answering node handles unclear ones."""
    if "view" not in state or state.get("model_decides"):
        return "answer_query"
    match state.get("intent"):
        case Intent.ACTION:
            return "handle_action"
        case Intent.RESEARCH:
            return "start_research"
        case _:
            return "answer_query"


def is_unsure(reading: Understanding, intent: Intent, content: str) -> bool:
    """Whether a model should decide instead of rules, if there is one."""
    if intent is Intent.RESEARCH and reading.intent is not Intent.RESEARCH:
        return False  # a yes to an offer of research
    if small_talk(content, "") is not None:
        return False
    if is_other_language(content) and not reading.changes:
        return True
    unread = reading.refusal is not None and not isinstance(reading.refusal, Unclear)
    return unread or intent is Intent.UNKNOWN or reading.probability < SURE


def last_answer(past: Sequence[ChatMessage]) -> LastAnswer:
    """Whether the last answer asked back, and whether it offered research."""
    last = next((message for message in reversed(past) if message.role == "assistant"), None)
    if last is None:
        return LastAnswer(was_unclear=False, offered_research=False)
    offered = last.meta.get(OFFER) == Intent.RESEARCH.value and offers_research(last.content)
    last_question = next((message for message in reversed(past) if message.role == "user"), None)
    was_polite = last_question is not None and small_talk(last_question.content, "") is not None
    stored = last.meta.get(QUESTION)
    question = OpenQuestion.from_json(stored) if stored else None
    return LastAnswer(last.intent == Intent.UNKNOWN.value and not was_polite, offered, question)


def offers_research(answer: str) -> bool:
    """Whether a `yes` to this answer means research: a model may have asked something else last."""
    text, question, _ = answer.rpartition("?")
    last_sentence = _SENTENCE_END.split(text.rstrip("?! "))[-1]
    return bool(question) and _RESEARCH_OFFER.search(last_sentence) is not None


def resolve_intent(intent: Intent, content: str, previous: LastAnswer) -> Intent:
    """A short yes accepts an offer; an unclear message is asked back once, then answered."""
    if previous.offered_research and ASSENT.match(content):
        return Intent.RESEARCH
    if intent is Intent.UNKNOWN and previous.was_unclear and small_talk(content, "") is None:
        return Intent.QUESTION
    return intent


async def start_research(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Queue the research and follow it for this conversation."""
    turn, view = runtime.context, view_of(state)
    turn.draft.method = RULES
    try:
        lead = await begin_research(turn, view)
    except (NotReady, Forbidden, OtherResearchUnderWay) as refusal:
        await turn.writer.say(refusal.message)
        return {}
    await turn.writer.say(f"{lead} You will find the outcome here, even if you leave meanwhile.")
    return {}


async def begin_research(turn: Turn, view: RecordView) -> str:
    """Queue the research that the message means and follow it, in one transaction; says what runs.

    Raises NotReady, Forbidden and OtherResearchUnderWay.
    """
    async with turn.deps.db.unit(turn.who.org_id) as session:
        lead, submission = await submit_research(session, turn, view)
        await begin_following(
            session, turn.who, turn.session_id, submission.id, is_new=submission.created
        )
    turn.draft.meta["research"] = {"jobId": str(submission.id)}
    if not submission.created:
        return f"Research on this {view.kind.title.lower()} is already under way."
    return lead


async def respond(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Store the answer, free the conversation and notify its readers, in one transaction."""
    turn = runtime.context
    if turn.deps.context_days > 0 and not (turn.draft.method or "").startswith("model:"):
        turn.draft.read_by_rules = read_by_rules(turn, state.get("view"), state.get("past", ()))
    await end(turn, turn.draft.status)
    return {}


def _intent_on_page(content: str, page: Page) -> Intent:
    """The intent of a message on a page without a record: nothing to change or research there."""
    intent = intent_of(content, Chat("", page.prompt, ()))
    return Intent.QUESTION if intent is Intent.UNKNOWN and topic_of(page, content) else intent


def view_of(state: TurnState) -> RecordView:
    """The record view that `load_context` loaded."""
    view = state.get("view")
    assert view is not None  # `load_context` runs before the nodes that need it
    return view
