"""The node that answers: by a model with tools where there is one, else by rules."""

from __future__ import annotations

from collections.abc import Mapping

from langgraph.runtime import Runtime
from pydantic import BaseModel, JsonValue

from whence.chat.citing.citations import sources_of
from whence.chat.citing.composing import compose
from whence.chat.citing.staleness import staleness
from whence.chat.language.follow_ups import completed
from whence.chat.language.intents import Intent
from whence.chat.language.language_detection import is_other_language
from whence.chat.language.small_talk import small_talk
from whence.chat.model import tool_loop
from whence.chat.model.failure_notice import notice_of
from whence.chat.model.ledger import TurnLedger
from whence.chat.model.prompting import prompt_with
from whence.chat.model.tool_loop import LoopResult
from whence.chat.offer import ByRun
from whence.chat.pages.composing import compose_on_page, refuse_on_page
from whence.chat.record_view import RecordView
from whence.chat.transcript.views import FinalStatus
from whence.chat.turns.briefing import briefing
from whence.chat.turns.changing import say_refusal
from whence.chat.turns.model_actions import actions_of, call_action
from whence.chat.turns.nodes import OFFER, RULES, TurnState
from whence.chat.turns.tool_reports import ToolReports
from whence.chat.turns.turn import Trouble, Turn
from whence.chat.turns.turn_subject import PageSubject
from whence.kernel.errors import Invalid
from whence.kernel.log import get
from whence.llm import ChatModel, Message, SkillRuntime
from whence.tenancy.principal import agent_of
from whence.tools.tool import Tool, ToolContext

_log = get("chat.answering")
CLARIFY = (
    "I am not sure what you would like. Do you want to know something about this {thing}, change "
    "one of its fields, or have it researched?"
)

PAGE_NOTICE = "pageNotice"
"""In an answer's `meta`: what to tell the person of the page they have open."""
UNKNOWN_PAGE = "The page “{page}” is not known here, so this answer does not know what it shows."
PROPOSED = "I propose the change below. Nothing changes until you apply it."


async def answer_query(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Answer, or ask once what the person means; offer to refresh stale research."""
    turn, view = runtime.context, state.get("view")
    model = turn.deps.models().text
    if view is None:
        await _on_page(state, turn, model)
        return {}
    reply = small_talk(turn.content, view.kind.title.lower())
    if state.get("intent") is Intent.UNKNOWN and reply is not None:
        turn.draft.method = RULES
        await turn.writer.say(reply)
        return {}
    if model is None or not await _by_model(state, turn, model):
        turn.draft.method = RULES
        if await _by_rules(state, turn, view):
            return {}
    if turn.draft.status != "complete" or (turn.draft.trouble and turn.draft.trouble.retry):
        return {}  # the notice below the answer offers a retry: a `yes` must mean only that
    chat = turn.deps.chat(view.kind.kind)
    if view.dossier is None:
        turn.draft.meta[OFFER] = Intent.RESEARCH.value
    elif announcement := staleness(view, chat.stale_after, chat.researched_at(view)):
        turn.draft.meta[OFFER] = Intent.RESEARCH.value
        await turn.writer.say("\n\n" + _with_citation(announcement, turn, view))
    return {}


async def _by_rules(state: TurnState, turn: Turn, view: RecordView) -> bool:
    """Answer by rules; True if the answer asks back or refuses, so that it ends there."""
    reading = state.get("understanding")
    if turn.draft.actions:
        await turn.writer.say(PROPOSED)
        return True
    if reading is not None and reading.refusal is not None:
        await say_refusal(state, turn, Invalid(reading.refusal.message))
        return True
    if state.get("intent") is Intent.UNKNOWN and not is_other_language(turn.content):
        await turn.writer.say(CLARIFY.format(thing=view.kind.title.lower()))
        return True
    chat = turn.deps.chat(view.kind.kind)
    asked = (each.content for each in reversed(state.get("past", ())) if each.role == "user")
    question = completed(turn.content, next(asked, None))
    await turn.writer.say(compose(chat, view, question, turn.writer.book))
    return False


async def _on_page(state: TurnState, turn: Turn, model: ChatModel | None) -> None:
    """Answer on a page without a record; for anything but a question, list what can be asked."""
    assert isinstance(turn.subject, PageSubject)  # a turn about a record has a record view
    page, view = turn.subject.at.page, turn.subject.view
    if turn.subject.at.unknown:
        turn.draft.meta[PAGE_NOTICE] = UNKNOWN_PAGE.format(page=turn.subject.at.unknown)
    if model is not None and await _by_model(state, turn, model):
        return
    turn.draft.method = RULES
    if reply := small_talk(turn.content, "page"):
        await turn.writer.say(reply)
    elif state.get("intent") is Intent.QUESTION:
        await turn.writer.say(compose_on_page(page, view, turn.content, turn.writer.book))
    else:
        deed = "do" if state.get("intent") in (Intent.ACTION, Intent.RESEARCH) else "answer"
        await turn.writer.say(refuse_on_page(page, turn.content, deed))


def _with_citation(announcement: str, turn: Turn, view: RecordView) -> str:
    """The announcement with the source of its first sentence; the rest is an offer."""
    marks = "".join(str(turn.writer.book.add(*each)) for each in sources_of(ByRun(), view))
    fact, stop, offer = announcement.rpartition(". ")
    return f"{fact} {marks}{stop}{offer}" if stop and marks else announcement


async def _by_model(state: TurnState, turn: Turn, model: ChatModel) -> bool:
    """Let the model answer; False if it gave none, so that rules have to."""
    deps = turn.deps
    past = [
        Message("user" if each.role == "user" else "assistant", each.content)
        for each in state.get("past", ())
    ]
    organization = state.get("organization")
    assert organization is not None  # `load_context` reads it whenever there is a model
    brief = briefing(deps, turn.subject, state.get("view"), organization, turn.writer.book)
    prompt = prompt_with(brief.briefed, past, turn.content, brief.at)
    turn.draft.method = f"model:{model.choice.name}/chat@{prompt.version}"
    ledger = TurnLedger(deps.db, turn.who.org_id, turn.session_id, deps.budget, deps.allowance)
    agent = agent_of(turn.who)
    offered = [tool for tool in deps.tools.visible(agent) if tool.name in brief.tools]
    view = state.get("view")
    # For a plain question there is nothing to change or start, whatever a listing may talk it into.
    may_act = view is not None and state.get("model_decides", False)
    actions = {tool.name: tool for tool in actions_of(turn, view)} if view and may_act else {}

    async def call(tool: Tool, arguments: Mapping[str, JsonValue]) -> BaseModel:
        if tool.name in actions:
            return await call_action(tool, arguments)
        context = ToolContext(agent, "chat", deps.db, deps.services)
        return await deps.tools.call(tool.name, arguments, context)

    keeps = deps.context_days > 0
    try:
        result = await tool_loop.answer(
            SkillRuntime(deps.models(), ledger, deps.prices(), keeps_exchanges=keeps),
            model,
            prompt,
            [*offered, *actions.values()],
            call,
            turn.writer.book,
            turn.writer.say,
            ToolReports(turn.writer),
            first_piece=deps.first_piece_seconds,
        )
    finally:
        turn.draft.exchange = ledger.exchange
    if notice := notice_of(result):
        error = type(ledger.refusal).__name__ if ledger.refusal else result.reason or result.status
        turn.draft.trouble = Trouble(error, notice.text, notice.retry)
        _log.warning(
            "chat_model_trouble", reason=error, detail=result.detail, model=model.choice.name
        )
    if result.status in {"budget", "failed"} and not result.text:
        return False  # rules answer, beside the notice
    turn.draft.status = status_of(result)
    return True


def status_of(result: LoopResult) -> FinalStatus:
    """The status of the message after the model's answer."""
    match result.status:
        case "failed":
            return "failed"
        case "cut":
            return "interrupted"
        case "stopped":
            return "stopped"
        case "complete" | "truncated" | "refused" | "budget":
            return "complete"
