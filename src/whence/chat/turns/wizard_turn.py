"""The node of the chat flow that hands explicit input to a wizard; no rule and no model decides."""

from __future__ import annotations

from uuid import UUID, uuid5

from langgraph.runtime import Runtime
from pydantic import ValidationError

from whence.chat.turns.nodes import TurnState
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import record_of
from whence.kernel.errors import Invalid, Unavailable, WhenceError
from whence.wizards.chatting import WizardInput, handle
from whence.wizards.reading import MOST_ERRORS

WIZARD_INPUT = "wizardInput"
_TOLD = {"wizard": "current", "wizards": "wizards", "errors": "errors"}
"""What of a refusal an answer's `meta` has, and under which name the refusal has it."""


async def run_wizard(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Hand the input to its wizard; the step comes back unchanged, for the client to draw.

    A refusal is told in words and in `meta`: `refused`, its type, with what comes with it.
    """
    turn = runtime.context
    turn.draft.intent = "wizard"
    try:
        given = WizardInput.model_validate(turn.wizard_input)
        record = record_of(turn.about)
        async with turn.deps.db.unit(turn.who.org_id) as session:
            step = await handle(
                session,
                turn.who,
                turn.deps.wizards,
                turn.session_id,
                given,
                subject=(record.kind, record.subject_id) if record else None,
                new_run_id=begun_by(turn.session_id, turn.ordinal),
            )
    except ValidationError as error:
        await _refuse(turn, _unreadable(error))
        return {}
    except Unavailable:
        raise  # the trouble of the turn, which offers to try again
    except WhenceError as refusal:
        await _refuse(turn, refusal)
        return {}
    turn.draft.meta["wizard"] = step.shown()
    await turn.writer.say(step.text_fallback)
    return {}


def begun_by(session_id: UUID, ordinal: int) -> UUID:
    """The id of the run that a message begins, so that answering it anew begins no second one."""
    return uuid5(session_id, f"wizard:{ordinal}")


async def _refuse(turn: Turn, refusal: WhenceError) -> None:
    said = {name: refusal.context.get(key) for name, key in _TOLD.items()}
    turn.draft.meta["refused"] = type(refusal).__name__
    turn.draft.meta |= {name: value for name, value in said.items() if value}
    await turn.writer.say(refusal.message)


def _unreadable(error: ValidationError) -> Invalid:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    told = [
        {
            "field": ".".join(str(part) for part in item["loc"]) or WIZARD_INPUT,
            "message": item["msg"],
        }
        for item in found[:MOST_ERRORS]
    ]
    first = told[0]
    words = f"The wizard's input cannot be read: {first['field']}: {first['message']}."
    return Invalid(words, errors=told)
