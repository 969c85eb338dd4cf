"""The node that proposes the changes a message asks for, or asks back what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from whence.chat.citing.citations import sources_of
from whence.chat.citing.composing import compose, insert_markers, topics_of
from whence.chat.citing.sources import Source
from whence.chat.language.fields import Change
from whence.chat.language.fitting import changeable
from whence.chat.language.values import Unclear
from whence.chat.offer import ByRecord, Chat
from whence.chat.proposals import service as proposals
from whence.chat.proposals.tables import ProposalRow
from whence.chat.proposals.undoing import (
    ChangedSince,
    NotAppliedYet,
    NothingToUndo,
    UndoRequest,
    find_undo_request,
    propose_undo,
)
from whence.chat.proposals.views import action_of
from whence.chat.record_view import RecordView
from whence.chat.turns.change_words import with_changes, words_of
from whence.chat.turns.nodes import QUESTION, RULES, TurnState, view_of
from whence.chat.turns.turn import Turn
from whence.kernel.clock import now
from whence.kernel.errors import Forbidden, Invalid
from whence.kernel.text import camel
from whence.tenancy.principal import agent_of

BEFORE_IT = "As the record stands before that change:"
RESEARCH_BESIDE = "Ask for the research again once it is applied, so that it uses the new values."


async def handle_action(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Propose the changes the message asks for; the record itself is not written."""
    turn, view = runtime.context, view_of(state)
    turn.draft.method = RULES
    chat = turn.deps.chat(view.kind.kind)
    undo_request, effects = find_undo_request(turn.content, chat), ""
    try:
        if undo_request is not None:
            fields = await _propose_undo(turn, view, undo_request)
            action = f"undo your last change of the {fields}"
        else:
            changes = _changes_of(state, chat)
            fields = await propose_changes(turn, view, changes)
            action = f"change the {fields} as you asked"
            effects = _effects(turn, view, changes)
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
        await say_refusal(state, turn, refusal)
        await _answer_beside(state, turn, view)
        return {}
    _remember_question(state, turn)
    await turn.writer.say(f"I propose to {action}.{effects} Nothing changes until you apply it.")
    await _answer_beside(state, turn, view)
    return {}


async def _answer_beside(state: TurnState, turn: Turn, view: RecordView) -> None:
    """Answer the questions beside a change; research beside it waits until it is applied."""
    reading = state.get("understanding")
    if reading is None:
        return
    chat = turn.deps.chat(view.kind.kind)
    if reading.told_beside:
        await turn.writer.say(" " + reading.told_beside)
    if reading.researches:
        await turn.writer.say(" " + RESEARCH_BESIDE)
    if reading.asked_beside and topics_of(chat, reading.asked_beside):
        answer = compose(chat, view, reading.asked_beside, turn.writer.book)
        await turn.writer.say(f"\n\n{BEFORE_IT} {answer}")


async def propose_changes(turn: Turn, view: RecordView, changes: Sequence[Change]) -> str:
    """Propose changes to the person and add the proposal to the answer; the fields in words.

    Raises what `proposals.propose` raises.
    """
    async with turn.deps.db.unit(turn.who.org_id) as session:
        proposal = await proposals.propose(
            session,
            agent_of(turn.who),
            view.kind,
            view.subject_id,
            {change.field: change.value for change in changes},
            reason="; ".join(dict.fromkeys(change.words for change in changes))
            + "".join(f" ({each})" for each in _previews(turn, view, changes)),
            claims=[path for change in changes for path in change.claims],
            chat_session_id=turn.session_id,
            message_id=turn.message_id,
        )
        return _add_action(turn, view, proposal)


def _previews(turn: Turn, view: RecordView, changes: Sequence[Change]) -> list[str]:
    """What the changes would do, where the pack computes it; each beside the other changes."""
    chat = turn.deps.chat(view.kind.kind)
    previews = [
        each.preview(_with_others(view, changes, change), change.value)
        for change in changes
        for each in chat.editable
        if each.field == change.field and each.preview is not None
    ]
    return [words for words in previews if words]


def _with_others(view: RecordView, changes: Sequence[Change], one: Change) -> RecordView:
    return with_changes(view, {each.field: each.value for each in changes if each is not one})


def _effects(turn: Turn, view: RecordView, changes: Sequence[Change]) -> str:
    """The previews as sentences that cite what was computed."""
    return "".join(
        " " + insert_markers(each, [str(turn.writer.book.add("preview", _computed(each)))])
        for each in _previews(turn, view, changes)
    )


def _computed(preview: str) -> Source:
    return Source("tool", "Computed for this change", preview)


async def _propose_undo(turn: Turn, view: RecordView, request: UndoRequest) -> str:
    async with turn.deps.db.unit(turn.who.org_id) as session:
        proposal = await propose_undo(
            session,
            turn.who,
            view.kind,
            view.subject_id,
            request,
            turn.content,
            chat_session_id=turn.session_id,
            message_id=turn.message_id,
        )
        return _add_action(turn, view, proposal)


def _add_action(turn: Turn, view: RecordView, proposal: ProposalRow) -> str:
    """Add a proposal to the answer's actions; the fields in people's words."""
    action = action_of(proposal, view.version, now(), turn.who.user_id)
    chat = turn.deps.chat(view.kind.kind)
    labels = {each["field"]: _field_label(each["field"], chat) for each in action["changes"]}
    words = words_of(action["changes"], chat, view)
    turn.draft.actions.append({**action, "called": labels, "inWords": words})
    return " and ".join(labels.values())


async def say_refusal(state: TurnState, turn: Turn, refusal: Invalid | Forbidden) -> None:
    """Say why nothing is proposed; a question back is kept for the next message."""
    _remember_question(state, turn)
    is_question = isinstance(refusal, Unclear)
    await turn.writer.say(
        refusal.message if is_question else f"I cannot propose this change: {refusal.message}"
    )


def _changes_of(state: TurnState, chat: Chat) -> Sequence[Change]:
    """The changes that the message asks for; raises why there are none."""
    reading = state.get("understanding")
    if reading is not None and reading.refusal is not None:
        raise reading.refusal
    if reading is None or not reading.changes:
        raise Invalid(f"I did not understand what to change. {changeable(chat)}")
    return reading.changes


def _remember_question(state: TurnState, turn: Turn) -> None:
    """Keep the question back with the answer, so that the next message can answer it."""
    reading = state.get("understanding")
    if reading is not None and reading.question is not None:
        turn.draft.meta[QUESTION] = reading.question.as_json()


def _field_label(field: str, chat: Chat) -> str:
    """The people's word for a field, or its wire name if the pack has no word for it."""
    words = (each.words[0] for each in chat.editable if camel(each.field) == field and each.words)
    return next(words, field)
