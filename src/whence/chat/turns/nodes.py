"""The nodes of the chat flow, but for answers and wizards: each reads, decides, and says."""

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
    propose_undo,
    undo_in,
)
from whence.chat.record_view import RecordView
from whence.chat.transcript import history
from whence.chat.transcript.tables import ChatMessage
from whence.chat.transcript.window import WINDOW, window
from whence.chat.turns.ending import end
from whence.chat.turns.research_updates import begin_following
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import AboutPage, record_of
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid, NotReady
from whence.kernel.text import camel
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
_ENDS = re.compile(r"[.?!\n]")
_OF_RESEARCH = re.compile(r"\bresearch|\bshall I (?:start|look again)\b", re.I)


class TurnState(TypedDict, total=False):
    """What nodes hand on."""

    look: RecordView
    """Of the record; not there on a page that is about none."""
    organization: OrganizationProfile
    """In whose name a model answers; not there without a model."""
    past: Sequence[ChatMessage]
    """The window, oldest first, without the message that is answered."""
    intent: Intent


@dataclass(frozen=True)
class LastAnswer:
    """What of the last answer decides how a short message is taken."""

    was_unclear: bool
    offered_research: bool


async def route_input(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Nothing to do: where the turn goes is seen from its input alone."""
    return {}


def after_input(state: TurnState, runtime: Runtime[Turn]) -> Literal["run_wizard", "load_context"]:
    """A wizard's input goes to the wizard by its presence; no rule and no model decides."""
    return "load_context" if runtime.context.wizard_input is None else "run_wizard"


async def load_context(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Read the record with its research, and the last messages, in one transaction."""
    turn = runtime.context
    found: TurnState = {}
    async with turn.deps.db.unit(turn.who.org_id) as session:
        if record := record_of(turn.about):
            kind = turn.deps.kinds[record.kind]
            compared = asks_what_changed(turn.content)
            found["look"] = await load_record_view(
                session, kind, record.subject_id, now(), compared=compared
            )
        past = await history.standing(session, turn.session_id, before=turn.ordinal, limit=WINDOW)
        if turn.deps.models().text is not None:
            found["organization"] = await organization.read(session)
    found["past"] = window(past, lambda message: message.role)
    return found


async def route_intent(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Find what the message wants, by rules."""
    turn = runtime.context
    match turn.about:
        case AboutPage(at) if at.page.kind is None:
            found = _on_page(turn.content, at.page)
        case about:
            record = record_of(about)
            assert record is not None  # every other page is about one
            found = intent_of(turn.content, turn.deps.chat(record.kind))
    found = taken_as(found, turn.content, last_answer(state.get("past", ())))
    turn.draft.intent = found.value
    return {"intent": found}


def after_intent(
    state: TurnState,
) -> Literal["answer_query", "handle_action", "start_research"]:
    """Where a message goes; an unclear one is asked back by whoever answers."""
    if "look" not in state:
        return "answer_query"
    match state.get("intent"):
        case Intent.ACTION:
            return "handle_action"
        case Intent.RESEARCH:
            return "start_research"
        case _:
            return "answer_query"


def last_answer(past: Sequence[ChatMessage]) -> LastAnswer:
    """What the last answer was."""
    last = next((message for message in reversed(past) if message.role == "assistant"), None)
    if last is None:
        return LastAnswer(was_unclear=False, offered_research=False)
    offered = last.meta.get(OFFER) == Intent.RESEARCH.value and asks_of_research(last.content)
    asked = next((message for message in reversed(past) if message.role == "user"), None)
    was_polite = asked is not None and small_talk(asked.content, "") is not None
    return LastAnswer(last.intent == Intent.UNKNOWN.value and not was_polite, offered)


def asks_of_research(answer: str) -> bool:
    """Whether a `yes` to this means research: a model may have asked something else at the end."""
    until, question, _ = answer.rpartition("?")
    asked = _ENDS.split(until.rstrip("?! "))[-1]
    return bool(question) and _OF_RESEARCH.search(asked) is not None


def taken_as(found: Intent, content: str, before: LastAnswer) -> Intent:
    """A short yes takes up an offer; what stays unclear is asked back once, then answered."""
    if before.offered_research and _ASSENT.match(content):
        return Intent.RESEARCH
    if found is Intent.UNKNOWN and before.was_unclear and small_talk(content, "") is None:
        return Intent.QUESTION
    return found


async def handle_action(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Propose the changes that the message asks for; nothing of the record is written."""
    turn, look = runtime.context, look_of(state)
    turn.draft.method = RULES
    chat = turn.deps.chat(look.kind.kind)
    wanted = undo_in(turn.content, chat)
    origin: Origin = {"chat_session_id": turn.session_id, "message_id": turn.message_id}
    try:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            if wanted is not None:
                proposal = await propose_undo(
                    session, turn.who, look.kind, look.subject_id, wanted, turn.content, **origin
                )
            else:
                found = changes_in(turn.content, chat, look)
                proposal = await proposals.propose(
                    session,
                    agent_of(turn.who),
                    look.kind,
                    look.subject_id,
                    {change.field: change.value for change in found},
                    reason="; ".join(dict.fromkeys(change.words for change in found)),
                    **origin,
                )
            shown = proposal_views.shown(proposal, look.version, now(), turn.who.user_id)
    except ChangedSince as refusal:
        carried = (each for name in refusal.fields for each in sources_of(ByRecord(name), look))
        marks = "".join(str(turn.writer.book.add(*each)) for each in carried)
        named = " and ".join(_called(camel(name), chat) for name in refusal.fields)
        await turn.writer.say(
            f"I do not take this back, because the {named} was changed again since {marks}. "
            "What should it be?"
        )
        return {}
    except (NothingToUndo, NotAppliedYet) as refusal:
        await turn.writer.say(refusal.message)
        return {}
    except (Invalid, Forbidden) as refusal:
        await turn.writer.say(f"I cannot propose this: {refusal.message}")
        return {}
    called = {each.field: _called(each.field, chat) for each in shown.changes}
    turn.draft.actions.append({**shown.model_dump(mode="json", by_alias=True), "called": called})
    changed = " and ".join(called.values())
    what = (
        f"take back your last change of the {changed}"
        if wanted
        else f"change the {changed} as you asked"
    )
    await turn.writer.say(f"I propose to {what}; nothing is changed until you apply it.")
    return {}


async def start_research(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Queue the research, and follow it for this conversation, in one transaction."""
    turn, look = runtime.context, look_of(state)
    turn.draft.method = RULES
    try:
        async with turn.deps.db.unit(turn.who.org_id) as session:
            asked = await turn.deps.ask(session, turn.who, look.kind, look.subject_id)
            await begin_following(
                session, turn.who, turn.session_id, asked.id, is_new=asked.created
            )
    except (NotReady, Forbidden) as refusal:
        await turn.writer.say(refusal.message)
        return {}
    turn.draft.meta["research"] = {"jobId": str(asked.id)}
    begun = "I have started" if asked.created else "There is already under way"
    await turn.writer.say(
        f"{begun} research on this {look.kind.title.lower()}. "
        "You will find its outcome here, also if you leave meanwhile."
    )
    return {}


async def respond(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Keep the answer, free the conversation and tell its readers, in one transaction."""
    turn = runtime.context
    await end(turn, turn.draft.status)
    return {}


def _called(field: str, chat: Chat) -> str:
    """A field as people say it; one that the pack has no words for as it stands on the wire."""
    words = (each.words[0] for each in chat.editable if camel(each.field) == field and each.words)
    return next(words, field)


def _on_page(content: str, page: Page) -> Intent:
    """What a message on a page without a record wants; there is nothing to change or research."""
    found = intent_of(content, Chat("", page.prompt, ()))
    return Intent.QUESTION if found is Intent.UNKNOWN and topic_of(page, content) else found


def look_of(state: TurnState) -> RecordView:
    """What `load_context` read."""
    look = state.get("look")
    assert look is not None  # `load_context` comes before whoever needs it
    return look
