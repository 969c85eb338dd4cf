"""The node of the chat flow that passes explicit input to a wizard, without rules or a model."""

from __future__ import annotations

from uuid import UUID, uuid5

from langgraph.runtime import Runtime
from pydantic import ValidationError

from whence.chat.turns.nodes import TurnState
from whence.chat.turns.turn import Turn
from whence.chat.turns.turn_subject import record_of
from whence.kernel.errors import Invalid, Unavailable, WhenceError
from whence.kernel.field_errors import faults_of
from whence.wizards.chatting import WizardInput, handle
from whence.wizards.reading import MAX_ERRORS

WIZARD_INPUT = "wizardInput"
_REFUSAL_FIELDS = {"wizard": "current", "wizards": "wizards", "errors": "errors"}
"""Fields of a refusal in an answer's `meta`, with the names they have in the refusal."""


async def run_wizard(state: TurnState, runtime: Runtime[Turn]) -> TurnState:
    """Pass the input to its wizard; the step is returned unchanged for the client to draw.

    A refusal is explained in the text and in `meta`: `refused` is its type, with its details.
    """
    turn = runtime.context
    turn.draft.intent = "wizard"
    try:
        wizard_input = WizardInput.model_validate(turn.wizard_input)
        record = record_of(turn.subject)
        async with turn.deps.db.unit(turn.who.org_id) as session:
            step = await handle(
                session,
                turn.who,
                turn.deps.wizards,
                turn.session_id,
                wizard_input,
                subject=(record.kind, record.subject_id) if record else None,
                new_run_id=run_id_for(turn.session_id, turn.ordinal),
            )
    except ValidationError as error:
        await _refuse(turn, _unreadable(error))
        return {}
    except Unavailable:
        raise  # handled as a failed turn, which offers a retry
    except WhenceError as refusal:
        await _refuse(turn, refusal)
        return {}
    turn.draft.meta["wizard"] = step.as_json()
    await turn.writer.say(step.text_fallback)
    return {}


def run_id_for(session_id: UUID, ordinal: int) -> UUID:
    """The id of the run that a message starts, so that answering it again starts no second one."""
    return uuid5(session_id, f"wizard:{ordinal}")


async def _refuse(turn: Turn, refusal: WhenceError) -> None:
    details = {name: refusal.context.get(key) for name, key in _REFUSAL_FIELDS.items()}
    turn.draft.meta["refused"] = type(refusal).__name__
    turn.draft.meta |= {name: value for name, value in details.items() if value}
    await turn.writer.say(refusal.message)


def _unreadable(error: ValidationError) -> Invalid:
    faults = faults_of(error, WizardInput, whole=WIZARD_INPUT)[:MAX_ERRORS]
    errors = [each.as_json() for each in faults]
    return Invalid(f"The wizard's input cannot be read: {faults[0]}.", errors=errors)
