"""Tools of one turn by which a model proposes a change or starts research.

None of them writes the record: a change becomes a proposal that the person applies, research a job
that the conversation follows.  A value passes the same validation as one that rules read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue, ValidationError, create_model

from whence.chat.language.concluded import concluded_claim
from whence.chat.language.fields import Change, changes_of
from whence.chat.language.fitting import changeable
from whence.chat.language.slots import Slot
from whence.chat.language.spelling import find_field
from whence.chat.language.values import label_of
from whence.chat.language.vocabulary import Operation
from whence.chat.offer import Suggested
from whence.chat.record_view import RecordView
from whence.chat.turns.changing import propose_changes
from whence.chat.turns.nodes import begin_research
from whence.chat.turns.turn import Turn
from whence.kernel.errors import Invalid
from whence.kernel.text import camel
from whence.kernel.wire import Wire
from whence.research.run_type import OtherResearchUnderWay
from whence.tenancy.principal import Scope
from whence.tools.tool import Tool, ToolContext

NEXT = "Nothing has changed: the person sees the proposal below your answer and applies it."


class WantedChange(Wire):
    """A field and its new value in the person's words, translated to English if need be."""

    field: Annotated[str, Field(max_length=100)]
    value: Annotated[str, Field(max_length=3_000)]


class Proposed(Wire):
    """What was proposed."""

    fields: str
    next: str = NEXT


class NoArguments(Wire):
    """Takes nothing."""


class Started(Wire):
    """What was started."""

    started: str


def actions_of(turn: Turn, view: RecordView) -> list[Tool]:
    """The tools of a turn about a record."""
    chat = turn.deps.chat(view.kind.kind)
    tools = [_start_research(turn, view)]
    if chat.editable:
        tools.append(_propose_change(turn, view))
    return tools + [_suggest(turn, view, each) for each in chat.suggested]


async def call_action(tool: Tool, arguments: Mapping[str, JsonValue]) -> BaseModel:
    """Call one of these tools; raises Invalid for arguments that do not fit its schema."""
    try:
        typed = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Invalid(f"{tool.name}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
    return await tool.function(typed, _NO_CONTEXT)


_NO_CONTEXT: Any = None
"""These tools are bound to their turn and look at no other context."""


def _propose_change(turn: Turn, view: RecordView) -> Tool:
    chat = turn.deps.chat(view.kind.kind)
    names = ", ".join(label_of(each) for each in chat.editable)

    async def propose_change(arguments: WantedChange, context: ToolContext) -> Proposed:
        by_name = {camel(each.field): each for each in chat.editable}
        field = find_field(arguments.field, chat) or by_name.get(arguments.field)
        if field is None:
            raise Invalid(f"{arguments.field!r} cannot be changed. {changeable(chat)}")
        operation = Operation.SET if arguments.value.strip() else Operation.CLEAR
        slot = Slot(turn.content.strip()[:500], operation, arguments.value, field, quoted=True)
        return Proposed(
            fields=await propose_changes(turn, view, list(changes_of(slot, chat, view)))
        )

    description = (
        "Propose a change of one field to the person, if they ask for a change in any language. "
        f"Fields: {names}. An empty value clears the field."
    )
    return _tool("propose_change", description, WantedChange, Proposed, propose_change)


def _suggest(turn: Turn, view: RecordView, suggested: Suggested) -> Tool:
    chat = turn.deps.chat(view.kind.kind)
    editable = next(each for each in chat.editable if each.field == suggested.field)
    names = list(editable.concluded)
    choices = create_model(
        "Choice", __base__=Wire, choice=(str, Field(pattern=f"^({'|'.join(names)})$"))
    )

    async def suggest(arguments: Any, context: ToolContext) -> Proposed:
        claim = concluded_claim(arguments.choice, editable, view)
        words = f"{arguments.choice}: {claim.statement}"
        change = Change(suggested.field, claim.value, words, (claim.path,))
        return Proposed(fields=await propose_changes(turn, view, [change]))

    description = f"{suggested.description} Choices: {', '.join(names)}."
    return _tool(suggested.tool, description, choices, Proposed, suggest)


def _start_research(turn: Turn, view: RecordView) -> Tool:
    once = iter([True])  # a model may ask several times in one round

    async def start_research(arguments: NoArguments, context: ToolContext) -> Started:
        if not next(once, False):
            raise Invalid("Research was started already; the person sees its outcome here.")
        try:
            return Started(started=await begin_research(turn, view))
        except OtherResearchUnderWay as refusal:
            raise Invalid(refusal.message) from refusal

    description = "Start research on this record, if the person asks for new or more research."
    return _tool("start_research", description, NoArguments, Started, start_research)


def _tool(
    name: str,
    description: str,
    arguments: type[BaseModel],
    result: type[BaseModel],
    function: Callable[[Any, ToolContext], Any],
) -> Tool:
    # Reading is the right scope: what these tools do takes effect only by a person's yes.
    return Tool(name, description, Scope.READ, arguments, result, function)


__all__: Sequence[str] = ("actions_of", "call_action")
