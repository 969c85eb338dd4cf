"""Turns of conversations in one process: begun by a message, run to their end whoever listens."""

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
from whence.chat.transcript.events import announce
from whence.chat.transcript.messages import Begun, StaleTurn
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.ending import forget_soon
from whence.chat.turns.live import Line, LiveEvents
from whence.chat.turns.maintenance import Maintenance
from whence.chat.turns.turn import AnswerWriter, Turn
from whence.chat.turns.turn_subject import PAGE_CONTEXT, About, about_of
from whence.chat.turns.turn_task import TurnTask
from whence.db.failures import DatabaseBusy
from whence.events.bus import CANCELS
from whence.kernel.errors import Invalid
from whence.kernel.log import get
from whence.tenancy.principal import Principal
from whence.wizards.chatting import anew

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

LEASE_SECONDS = 15.0
"""After this silence of an answer's writer the next process ends the answer (as for workers)."""
RENEW_SECONDS = LEASE_SECONDS / 3
TOLD_EARLY = 256
"""How many words to stop are kept for a turn that is about to begin: it takes milliseconds."""
WIZARD_INPUT = "wizardInput"
Given = Mapping[str, Any] | None
_STOP = text("SELECT pg_notify(:channel, :turn)")
_log = get("chat.turns")


class Turns:
    """The turns that this process runs; close it before the database."""

    def __init__(self, deps: TurnDependencies) -> None:
        self._deps = deps
        self._live = LiveEvents(deps.db, deps.bus, self._stale)
        self._maintenance = Maintenance(deps.db, deps.bus, deps.kinds)
        self._running: dict[UUID, tuple[TurnTask, asyncio.Task[None]]] = {}
        self._told = deque[str](maxlen=TOLD_EARLY)
        """Turns that were told to stop and are none of this process', or not yet."""
        self._forgetting: set[asyncio.Task[None]] = set()
        self._renewing: set[asyncio.Task[None]] = set()
        self._listening: Any = None

    def start(self) -> None:
        """Tend conversations, those of other processes' users too; again does nothing."""
        self._maintenance.start()
        self._hear()

    async def load(self) -> None:
        """Load what the first answer needs, beside the rest: it takes seconds."""
        await asyncio.gather(asyncio.to_thread(lambda: self._flow), self._deps.load_model())

    async def close(self) -> None:
        """End the turns under way as `interrupted`, with what they had said."""
        for turn_task, _ in self._running.values():
            turn_task.tell("interrupted")
        if self._running:
            await asyncio.wait([task for _, task in self._running.values()])
            await asyncio.sleep(0)  # until their pieces, too, are about to be forgotten
        for task in self._forgetting:
            task.cancel()
        if beside := {*self._forgetting, *self._renewing}:
            await asyncio.wait(beside)
        await self._maintenance.close()
        await self._live.close()
        if self._listening:
            self._listening.__exit__(None, None, None)
            self._listening = None

    @property
    def running(self) -> int:
        """How many answers are being written."""
        return len(self._running)

    async def send(
        self,
        who: Principal,
        session_id: UUID,
        content: str,
        client_message_id: str,
        wizard_input: Mapping[str, Any] | None = None,
    ) -> Begun:
        """Keep a message and begin its answer, which goes on whoever leaves.

        The same message again finds what there is.  Raises as `messages.begin_turn`, and NotHere.
        """
        meta = {} if wizard_input is None else {WIZARD_INPUT: dict(wizard_input)}
        with self._deps.bus.writing([session_id]):
            async with self._deps.db.unit(who.org_id) as session:
                kept = await sessions.get(session, who, session_id)
                if kept.kind is None:
                    meta[PAGE_CONTEXT] = kept.page
                begun = await messages.begin_turn(
                    session, who, session_id, content, client_message_id, LEASE_SECONDS, meta=meta
                )
                if not begun.is_new:
                    return begun
                about = await about_of(session, who, self._deps.pages, kept, kept.page)
                told = await announce(session, begun.user, begun.answer)
            self._deps.bus.wrote(who.org_id, session_id, told)
        self._begin(who, about, begun, wizard_input)
        return begun

    async def send_on_page(
        self,
        who: Principal,
        context: Context,
        content: str,
        client_message_id: str,
        session_id: UUID | None = None,
    ) -> Begun:
        """Keep a message sent from a page, and begin its answer; all or nothing.

        Without `session_id` it begins a conversation, and finds that one when it is sent again.
        Raises as `messages.begin_turn`, `Pages.at` and `Pages.load`.
        """
        at = self._deps.pages.at(context)
        if not content.strip():
            raise Invalid("The message is empty; write something.")
        async with self._deps.db.unit(who.org_id) as session:
            if session_id is None:
                session_id = page_sessions.begun_by(who, client_message_id)
                await page_sessions.ensure(session, who, session_id, at.kept())
            kept = await page_sessions.get(session, who, session_id)
            begun = await messages.begin_turn(
                session,
                who,
                session_id,
                content,
                client_message_id,
                LEASE_SECONDS,
                meta={PAGE_CONTEXT: at.kept()},
            )
            if not begun.is_new:
                return begun
            await page_sessions.moved(session, session_id, at.kept())
            about = await about_of(session, who, self._deps.pages, kept, at)
            await announce(session, begun.user, begun.answer)
        self._begin(who, about, begun)
        return begun

    async def regenerate(self, who: Principal, session_id: UUID) -> Begun:
        """Answer the last message anew.  Raises as `messages.begin_again`, and NotHere."""
        async with self._deps.db.unit(who.org_id) as session:
            kept = await sessions.get(session, who, session_id)
            begun = await messages.begin_again(session, who, session_id, LEASE_SECONDS)
            about = await about_of(
                session, who, self._deps.pages, kept, begun.user.meta.get(PAGE_CONTEXT)
            )
            await announce(session, begun.answer)
            given = begun.user.meta.get(WIZARD_INPUT)
            if given:
                before = await history.answers_to(session, session_id, begun.user.id)
                given = anew(given, [each.meta for each in before])
        self._begin(who, about, begun, given)
        return begun

    async def stop(self, who: Principal, session_id: UUID) -> UUID | None:
        """Stop the answer that is being written, in whatever process; its turn, None without one.

        Raises NotFound, MayNotTalk.
        """
        sessions.may_talk(who)
        async with self._deps.db.unit(who.org_id) as session:
            turn_id = (await sessions.get(session, who, session_id)).turn_id
            if turn_id is not None:
                await _tell_to_stop(session, turn_id)
        if turn_id is not None:
            self._told_to_stop(str(turn_id))  # here without the way through the database
        return turn_id

    async def ended(self, turn_id: UUID) -> None:
        """Wait until a turn of this process is over."""
        if turn_id in self._running:
            await asyncio.wait({self._running[turn_id][1]})

    def _begin(self, who: Principal, about: About, begun: Begun, given: Given = None) -> None:
        self._hear()
        line = Line(who.org_id, begun.user.session_id, begun.turn_id)
        turn = Turn(
            deps=self._deps,
            live=self._live,
            who=who,
            line=line,
            about=about,
            message_id=begun.answer.id,
            ordinal=begun.user.ordinal,
            content=begun.user.content,
            wizard_input=given,
            writer=AnswerWriter(self._live, line, begun.answer.id),
        )
        turn_task = TurnTask(turn, self._flowing(turn))
        task = asyncio.create_task(self._run(turn_task), name=f"turn-{begun.turn_id}")
        self._running[begun.turn_id] = turn_task, task
        task.add_done_callback(lambda done: self._over(turn, done))
        if str(begun.turn_id) in self._told:
            turn_task.tell("stopped")

    async def _flowing(self, turn: Turn) -> None:
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
                self._maintenance.look()

    async def _renew(self, turn_task: TurnTask) -> None:
        turn = turn_task.turn
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                async with self._deps.db.unit(turn.who.org_id) as session:
                    await messages.renew(session, turn.session_id, turn.line.turn_id, LEASE_SECONDS)
            except DatabaseBusy as error:
                _log.warning("a turn's lease cannot be renewed", error=error.message)
            except StaleTurn:
                turn_task.tell(None)
                return

    def _over(self, turn: Turn, done: asyncio.Task[None]) -> None:
        self._running.pop(turn.line.turn_id, None)
        if not done.cancelled() and (error := done.exception()):
            _log.error("a turn's end could not be kept", exc_info=error)
            return
        task = asyncio.create_task(forget_soon(turn), name="forget-tokens")
        self._forgetting.add(task)
        task.add_done_callback(self._forgetting.discard)

    def _stale(self, turn_id: UUID) -> None:
        if turn_id in self._running:
            self._running[turn_id][0].tell(None)

    def _hear(self) -> None:
        """Hear of answers that are to stop, from whatever process."""
        if self._listening is None:
            self._listening = self._deps.bus.cancels(self._told_to_stop)
            self._listening.__enter__()

    def _told_to_stop(self, payload: str) -> None:
        self._told.append(payload)
        for turn_id, (turn_task, _) in self._running.items():
            if str(turn_id) == payload:
                turn_task.tell("stopped")

    @cached_property
    def _flow(self) -> CompiledStateGraph[Any, Any, Any, Any]:
        from whence.chat.turns.flow import chat_flow

        return chat_flow()


async def _tell_to_stop(session: AsyncSession, turn_id: UUID) -> None:
    await session.execute(_STOP, {"channel": CANCELS, "turn": str(turn_id)})
