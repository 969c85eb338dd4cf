"""The nodes of the chat flow, except answers and wizards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from langgraph.runtime import Runtime

from whence.chat.citing.changes_since import asks_what_changed
from whence.chat.citing.citations import sources_of
from whence.chat.citing.composing import topic_of
from whence.chat.language.fields import changes_in
from whence.chat.language.intents import Intent, intent_of
from whence.chat.language.small_talk import small_talk
from whence.chat.load_record_view import load_record_view
from whence.chat.offer import ByRecord, Chat
from whence.chat.pages.page import Page
from whence.chat.proposals import service as proposals
from whence.chat.proposals import views as proposal_views
from whence.chat.proposals.undoing import (
    ChangedSince,
    NotAppliedYet,
    NothingToUndo,
    Origin,
    find_undo_request,
    propose_undo,
)
from whence.chat.record_view import RecordView
from whence.chat.transcript import history
from whence.chat.transcript.tables import ChatMessage
from whence.chat.transcript.window import WINDOW, window
from whence.chat.turns.ending import end
from whence.chat.turns.research_request import submit_research
from whence.chat.turns.research_updates import begin_following
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import PageSubject, record_of
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotReady
from whence.kernel.text import camel
from whence.research.run_type import OtherResearchUnderWay
from whence.tenancy import organization
from whence.tenancy.organization import OrganizationProfile
from whence.tenancy.principal import agent_of

RULES = "rules:chat@1"
OFFER = "offer"
_ASSENT = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|sure|ok|okay|please|please do|go ahead|do it|do that|go on|"
    r"of course|why not|start|start it|yes,? please|yes,? do)(?:[\s,.!]+(?:please|do|go ahead))*"
    r"\W*$",
    re.I,
)
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


@dataclass(frozen=True)
class LastAnswer:
    """What about the last answer decides how to understand a short message."""

    was_unclear: bool
    offered_research: bool


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
    turn = runtime.context
    match turn.subject:
        case PageSubject(at) if at.page.kind is None:
            intent = _intent_on_page(turn.content, at.page)
        case subject:
            record = record_of(subject)
            assert record is not None  # every other page is about a record
            intent = intent_of(turn.content, turn.deps.chat(record.kind))
    intent = resolve_intent(intent, turn.content, last_answer(state.get("past", ())))
    turn.draft.intent = intent.value
    return {"intent": intent}


def after_intent(
    state: TurnState,
) -> Literal["answer_query", "handle_action", "start_research"]:
    """The node for the message; the answering node handles unclear ones."""
    if "view" not in state:
        return "answer_query"
    match state.get("intent"):
        case Intent.ACTION:
            return "handle_action"
        case Intent.RESEARCH:
            return "start_research"
        case _:
            return "answer_query"


def last_answer(past: Sequence[ChatMessage]) -> LastAnswer:
    """Whether the last answer asked back, and whether it offered research."""
    last = next((message for message in reversed(past) if message.role == "assistant"), None)
    if last is None:
        return LastAnswer(was_unclear=False, offered_research=False)
    offered = last.meta.get(OFFER) == Intent.RESEARCH.value and offers_research(last.content)
    last_question = next((message for message in reversed(past) if message.role == "user"), None)
    was_polite = last_question is not None and small_talk(last_question.content, "") is not None
    return LastAnswer(last.intent == Intent.UNKNOWN.value and not was_polite, offered)


def offers_research(answer: str) -> bool:
    """Whether a `yes` to this answer means research: a model may have asked something else last."""
    text, question, _ = answer.rpartition("?")
    last_sentence = _SENTENCE_END.split(text.rstrip("?! "))[-1]
    return bool(question) and _RESEARCH_OFFER.search(last_sentence) is not None


def resolve_intent(intent: Intent, content: str, previous: LastAnswer) -> Intent:
    """A short yes accepts an offer; an unclear message is asked back once, then answered."""
    if previous.offered_research and _ASSENT.match(content):
        return Intent.RESEARCH
    if intent is Intent.UNKNOWN and previous.was_unclear and small_talk(content, "") is None:
        return Intent.QUESTION
    return intent


async def handle_action(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Propose the changes the message asks for; the record itself is not written."""
    turn, view = runtime.context, view_of(state)
    turn.draft.method = RULES
    chat = turn.deps.chat(view.kind.kind)
    undo_request = find_undo_request(turn.content, chat)
    origin: Origin = {"chat_session_id": turn.session_id, "message_id": turn.message_id}
    try:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            if undo_request is not None:
                proposal = await propose_undo(
                    session,
                    turn.who,
                    view.kind,
                    view.subject_id,
                    undo_request,
                    turn.content,
                    **origin,
                )
            else:
                changes = changes_in(turn.content, chat, view)
                proposal = await proposals.propose(
                    session,
                    agent_of(turn.who),
                    view.kind,
                    view.subject_id,
                    {change.field: change.value for change in changes},
                    reason="; ".join(dict.fromkeys(change.words for change in changes)),
                    **origin,
                )
            proposal_view = proposal_views.proposal_answer(
                proposal, view.version, now(), turn.who.user_id
            )
    except ChangedSince as refusal:
        sources = (each for name in refusal.fields for each in sources_of(ByRecord(name), view))
        markers = "".join(str(turn.writer.book.add(*each)) for each in sources)
        fields = " and ".join(_field_label(camel(name), chat) for name in refusal.fields)
        await turn.writer.say(
            f"I cannot undo this, because the {fields} was changed again since {markers}. "
            "What should it be?"
        )
        return {}
    except (NothingToUndo, NotAppliedYet) as refusal:
        await turn.writer.say(refusal.message)
        return {}
    except (Invalid, Forbidden) as refusal:
        await turn.writer.say(f"I cannot propose this change: {refusal.message}")
        return {}
    labels = {each.field: _field_label(each.field, chat) for each in proposal_view.changes}
    turn.draft.actions.append(
        {**proposal_view.model_dump(mode="json", by_alias=True), "called": labels}
    )
    field_names = " and ".join(labels.values())
    action = (
        f"undo your last change of the {field_names}"
        if undo_request
        else f"change the {field_names} as you asked"
    )
    await turn.writer.say(f"I propose to {action}. Nothing changes until you apply it.")
    return {}


async def start_research(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Queue the research and follow it for this conversation, in one transaction."""
    turn, view = runtime.context, view_of(state)
    turn.draft.method = RULES
    try:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            lead, submission = await submit_research(session, turn, view)
            await begin_following(
                session, turn.who, turn.session_id, submission.id, is_new=submission.created
            )
    except (NotReady, Forbidden, OtherResearchUnderWay) as refusal:
        await turn.writer.say(refusal.message)
        return {}
    turn.draft.meta["research"] = {"jobId": str(submission.id)}
    if not submission.created:
        lead = f"Research on this {view.kind.title.lower()} is already under way."
    await turn.writer.say(f"{lead} You will find the outcome here, even if you leave meanwhile.")
    return {}


async def respond(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Store the answer, free the conversation and notify its readers, in one transaction."""
    turn = runtime.context
    await end(turn, turn.draft.status)
    return {}


def _field_label(field: str, chat: Chat) -> str:
    """The people's word for a field, or its wire name if the pack has no word for it."""
    words = (each.words[0] for each in chat.editable if camel(each.field) == field and each.words)
    return next(words, field)


def _intent_on_page(content: str, page: Page) -> Intent:
    """The intent of a message on a page without a record: nothing to change or research there."""
    intent = intent_of(content, Chat("", page.prompt, ()))
    return Intent.QUESTION if intent is Intent.UNKNOWN and topic_of(page, content) else intent


def view_of(state: TurnState) -> RecordView:
    """The record view that `load_context` loaded."""
    view = state.get("view")
    assert view is not None  # `load_context` runs before the nodes that need it
    return view
