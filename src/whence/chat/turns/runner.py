"""Runs the turns of conversations in one process, from the message to the end of the answer."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from whence.chat.pages import sessions as page_sessions
from whence.chat.pages.page import Context
from whence.chat.transcript import history, messages, sessions
from whence.chat.transcript.editing import WIZARD_INPUT, meta_of
from whence.chat.transcript.events import announce
from whence.chat.transcript.messages import StaleTurn, StartedTurn
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.ending import forget_soon
from whence.chat.turns.live import LiveEvents, TurnKey
from whence.chat.turns.maintenance import Maintenance
from whence.chat.turns.turn import AnswerWriter, Turn
from whence.chat.turns.turn_subject import PAGE_CONTEXT, TurnSubject, subject_of
from whence.chat.turns.turn_task import TurnTask
from whence.db.failures import DatabaseBusy
from whence.events.bus import CANCELS
from whence.kernel.errors import Invalid
from whence.kernel.ids import new_id
from whence.kernel.log import get
from whence.tenancy.principal import Principal
from whence.wizards.chatting import repeat_input

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

LEASE_SECONDS = 15.0
"""If the writer of an answer is silent for longer, another process ends the answer."""
RENEW_SECONDS = LEASE_SECONDS / 3
MAX_EARLY_STOPS = 256
"""Stop requests remembered for turns that are just starting, which takes milliseconds."""
WizardInputData = Mapping[str, Any] | None
_STOP = text("SELECT pg_notify(:channel, :turn)")
_log = get("chat.turns")


class Turns:
    """The turns of this process; close it before the database."""

    def __init__(self, deps: TurnDependencies) -> None:
        self._deps = deps
        self._live = LiveEvents(deps.db, deps.bus, self._on_stale)
        self._maintenance = Maintenance(deps.db, deps.bus, deps.kinds)
        self._running: dict[UUID, tuple[TurnTask, asyncio.Task[None]]] = {}
        self._early_stops = deque[str](maxlen=MAX_EARLY_STOPS)
        """Turns to stop that this process does not run, or not yet."""
        self._forgetting: set[asyncio.Task[None]] = set()
        self._renewing: set[asyncio.Task[None]] = set()
        self._stop_listener: Any = None

    def start(self) -> None:
        """Start maintenance of all conversations; a second call does nothing."""
        self._maintenance.start()
        self._listen_for_stops()

    async def load(self) -> None:
        """Load in advance what the first answer needs: it takes seconds."""
        await asyncio.gather(asyncio.to_thread(lambda: self._flow), self._deps.load_model())
        await asyncio.to_thread(self._deps.train_classifiers)

    async def close(self) -> None:
        """End running turns as `interrupted`, with the text they have."""
        for turn_task, _ in self._running.values():
            turn_task.end_with("interrupted")
        if self._running:
            await asyncio.wait([task for _, task in self._running.values()])
            await asyncio.sleep(0)  # so that the tasks that remove their tokens have started
        for task in self._forgetting:
            task.cancel()
        if remaining := {*self._forgetting, *self._renewing}:
            await asyncio.wait(remaining)
        await self._maintenance.close()
        await self._live.close()
        if self._stop_listener:
            self._stop_listener.__exit__(None, None, None)
            self._stop_listener = None

    @property
    def running(self) -> int:
        """The number of answers being written."""
        return len(self._running)

    async def send(
        self,
        who: Principal,
        session_id: UUID,
        content: str,
        client_message_id: str | None = None,
        wizard_input: Mapping[str, Any] | None = None,
        replaces: UUID | None = None,
    ) -> StartedTurn:
        """Store a message and start its answer, which continues even if the reader leaves.

        Sending the same message again returns the existing turn; without an id of the client's,
        every message is new.  Raises NotHere, and what `messages.begin_turn` raises.
        """
        client_message_id = client_message_id or str(new_id())
        meta = meta_of(wizard_input, replaces)
        with self._deps.bus.writing([session_id]):
            async with self._deps.db.unit(who.org_id) as session:
                chat_session = await sessions.get(session, who, session_id)
                if chat_session.kind is None:
                    meta[PAGE_CONTEXT] = chat_session.page
                started = await messages.begin_turn(
                    session, who, session_id, content, client_message_id, LEASE_SECONDS, meta=meta
                )
                if not started.is_new:
                    return started
                subject = await subject_of(
                    session, who, self._deps.pages, chat_session, chat_session.page
                )
                events = await announce(session, started.user, started.answer)
            self._deps.bus.wrote(who.org_id, session_id, events)
        self._start_turn(who, subject, started, wizard_input)
        return started

    async def send_on_page(
        self,
        who: Principal,
        context: Context,
        content: str,
        client_message_id: str | None = None,
        session_id: UUID | None = None,
        wizard_input: WizardInputData = None,
        replaces: UUID | None = None,
    ) -> StartedTurn:
        """Store a message sent from a page and start its answer; all or nothing.

        Without `session_id` this opens a conversation; sending the message again finds that one.
        Raises what `messages.begin_turn`, `Pages.at` and `Pages.load` raise.
        """
        client_message_id = client_message_id or str(new_id())
        at = self._deps.pages.at(context)
        meta = meta_of(wizard_input, replaces) | {PAGE_CONTEXT: at.as_context()}
        if wizard_input is None and not content.strip():
            raise Invalid("The message is empty; write something.")
        async with self._deps.db.unit(who.org_id) as session:
            if session_id is None:
                session_id = page_sessions.session_id_for(who, client_message_id)
                await page_sessions.ensure(session, who, session_id, at.as_context())
            chat_session = await page_sessions.get(session, who, session_id)
            started = await messages.begin_turn(
                session,
                who,
                session_id,
                content,
                client_message_id,
                LEASE_SECONDS,
                meta=meta,
            )
            if not started.is_new:
                return started
            await page_sessions.set_page(session, session_id, at.as_context())
            subject = await subject_of(session, who, self._deps.pages, chat_session, at)
            await announce(session, started.user, started.answer)
        self._start_turn(who, subject, started, wizard_input)
        return started

    async def regenerate(self, who: Principal, session_id: UUID) -> StartedTurn:
        """Answer the last message again.  Raises NotHere, and all that `begin_again` raises."""
        async with self._deps.db.unit(who.org_id) as session:
            chat_session = await sessions.get(session, who, session_id)
            started = await messages.begin_again(session, who, session_id, LEASE_SECONDS)
            subject = await subject_of(
                session, who, self._deps.pages, chat_session, started.user.meta.get(PAGE_CONTEXT)
            )
            await announce(session, started.answer)
            wizard_input = started.user.meta.get(WIZARD_INPUT)
            if wizard_input:
                earlier_answers = await history.answers_to(session, session_id, started.user.id)
                wizard_input = repeat_input(wizard_input, [each.meta for each in earlier_answers])
        self._start_turn(who, subject, started, wizard_input)
        return started

    async def stop(self, who: Principal, session_id: UUID) -> UUID | None:
        """Stop the answer being written, in whichever process; return its turn or None.

        Raises NotFound, MayNotTalk.
        """
        sessions.may_talk(who)
        async with self._deps.db.unit(who.org_id) as session:
            turn_id = (await sessions.get(session, who, session_id)).turn_id
            if turn_id is not None:
                await _request_stop(session, turn_id)
        if turn_id is not None:
            self._on_stop_request(
                str(turn_id)
            )  # in this process directly, not through the database
        return turn_id

    async def wait_for_turn(self, turn_id: UUID) -> None:
        """Wait until a turn of this process has ended."""
        if turn_id in self._running:
            await asyncio.wait({self._running[turn_id][1]})

    def _start_turn(
        self,
        who: Principal,
        subject: TurnSubject,
        started: StartedTurn,
        wizard_input: WizardInputData = None,
    ) -> None:
        self._listen_for_stops()
        key = TurnKey(who.org_id, started.user.session_id, started.turn_id)
        turn = Turn(
            deps=self._deps,
            live=self._live,
            who=who,
            key=key,
            subject=subject,
            message_id=started.answer.id,
            ordinal=started.user.ordinal,
            content=started.user.content,
            wizard_input=wizard_input,
            writer=AnswerWriter(self._live, key, started.answer.id),
        )
        turn_task = TurnTask(turn, self._run_flow(turn))
        task = asyncio.create_task(self._run(turn_task), name=f"turn-{started.turn_id}")
        self._running[started.turn_id] = turn_task, task
        task.add_done_callback(lambda finished: self._on_turn_done(turn, finished))
        if str(started.turn_id) in self._early_stops:
            turn_task.end_with("stopped")

    async def _run_flow(self, turn: Turn) -> None:
        await self._flow.ainvoke({}, context=turn)

    async def _run(self, turn_task: TurnTask) -> None:
        renewing = asyncio.create_task(self._renew(turn_task), name="turn-lease")
        self._renewing.add(renewing)
        renewing.add_done_callback(self._renewing.discard)
        try:
            await turn_task.run()
        finally:
            renewing.cancel()
            if turn_task.turn.draft.meta.get("research"):
                self._maintenance.check_now()

    async def _renew(self, turn_task: TurnTask) -> None:
        turn = turn_task.turn
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                async with self._deps.db.unit(turn.who.org_id) as session:
                    await messages.renew(session, turn.session_id, turn.key.turn_id, LEASE_SECONDS)
            except DatabaseBusy as error:
                _log.warning("a turn's lease cannot be renewed", error=error.message)
            except StaleTurn:
                turn_task.end_with(None)
                return

    def _on_turn_done(self, turn: Turn, finished: asyncio.Task[None]) -> None:
        self._running.pop(turn.key.turn_id, None)
        if not finished.cancelled() and (error := finished.exception()):
            _log.error("the end of a turn could not be stored", exc_info=error)
            return
        task = asyncio.create_task(forget_soon(turn), name="forget-tokens")
        self._forgetting.add(task)
        task.add_done_callback(self._forgetting.discard)

    def _on_stale(self, turn_id: UUID) -> None:
        if turn_id in self._running:
            self._running[turn_id][0].end_with(None)

    def _listen_for_stops(self) -> None:
        """Listen for requests to stop an answer, from any process."""
        if self._stop_listener is None:
            self._stop_listener = self._deps.bus.cancels(self._on_stop_request)
            self._stop_listener.__enter__()

    def _on_stop_request(self, payload: str) -> None:
        self._early_stops.append(payload)
        for turn_id, (turn_task, _) in self._running.items():
            if str(turn_id) == payload:
                turn_task.end_with("stopped")

    @cached_property
    def _flow(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        from whence.chat.turns.flow import chat_flow

        return chat_flow()


async def _request_stop(session: AsyncSession, turn_id: UUID) -> None:
    await session.execute(_STOP, {"channel": CANCELS, "turn": str(turn_id)})
