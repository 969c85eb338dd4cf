"""The only composition root: builds everything from the packs and the open database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from functools import cache, partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.app.background import jobs_of, schedules_of
from whence.app.database import database
from whence.app.discovery import discover
from whence.app.follow_ups import FOLLOW_UP_JOB
from whence.app.platform import Platform
from whence.app.retention import retention_rules
from whence.chat.model.ledger import Allowance
from whence.chat.offer import Chat
from whence.chat.pages.catalog import Pages
from whence.chat.transcript.search import MESSAGES
from whence.chat.turns.dependencies import TurnDependencies
from whence.chat.turns.runner import Turns
from whence.db.database import Database
from whence.events.bus import EventBus
from whence.kernel.errors import Misconfigured
from whence.kernel.fetch import Fetcher
from whence.kernel.health import Health
from whence.kernel.services import Services
from whence.kernel.settings import Settings
from whence.llm import Budget, Models, Prices, SkillRuntime, load_prices, models_from, use
from whence.records.deletion import Deletion
from whence.records.files.files import stored_files
from whence.records.imports.background import (
    IMPORT_QUEUE,
    IMPORTS_AT_ONCE,
    BackgroundImports,
)
from whence.records.imports.running import Importer
from whence.records.imports.undoing import ImportUndo
from whence.records.imports.workplace import remove_leftovers
from whence.records.indexing import collection_of
from whence.records.kind import SubjectKind
from whence.records.kinds import by_name
from whence.research.flow import budget_of
from whence.research.research_records import RecordResearch
from whence.research.run_steps import close_cancelled
from whence.research.runs import ATTEMPT_JOB
from whence.research.versions import Flows, parse
from whence.sdk import Pack, Setup
from whence.search.rebuild import rebuild
from whence.tenancy.principal import Principal
from whence.tools.registry import ToolRegistry
from whence.wizards.catalog import Wizards
from whence.wizards.store import erase_runs_of_records
from whence.work.cancellation import Cancellations
from whence.work.job_runner import JobRunner
from whence.work.jobs import JOB_ATTEMPT
from whence.work.ledger import Ledger
from whence.work.queue import QUEUE, JobQueue
from whence.work.retention import prune_forever
from whence.work.schedules.service import Schedules
from whence.work.schedules.ticker import Ticker
from whence.work.schedules.values import Limits
from whence.work.submission import Submission
from whence.work.tables import RESEARCH
from whence.work.worker import WorkerOptions, work

WORKER_POOL_SIZE = 16
WORKER_POOL_SPARE = 8
"""A run or job writes over one connection, however many nodes write; the rest is for reading."""


@asynccontextmanager
async def platform(settings: Settings, *, patient: bool = False) -> AsyncGenerator[Platform]:
    """The platform of one process; everything is closed at the end.

    `patient`: as for `database`; commands rather report at once that it is away.
    """
    packs = discover(settings.pack_dirs)
    kinds = by_name(subject for pack in packs for subject in pack.subjects)
    flows = Flows(
        (flow for pack in packs for flow in pack.flows),
        (flow for pack in packs for flow in pack.candidates),
    )
    rollout = parse(settings.rollout, flows)
    chats = _chats(packs)
    pages = _pages(packs, kinds)
    wizards = Wizards((wizard for pack in packs for wizard in pack.wizards), kinds)
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(database(settings, packs, patient=patient))
        db = Database(opened.app_url)
        stack.push_async_callback(db.close)
        records = [collection_of(kind) for kind in kinds.values() if kind.search]
        own = [each for pack in packs for each in pack.collections]
        await rebuild(db, [*records, MESSAGES, *own])
        queue = JobQueue(opened.app_url)
        await queue.open()
        stack.push_async_callback(queue.close)
        bus = EventBus(db)
        await bus.start()
        stack.push_async_callback(bus.close)
        fetcher = await stack.enter_async_context(Fetcher())
        setup = Setup(settings, fetcher)
        files = stored_files(db, settings)
        await asyncio.to_thread(remove_leftovers, files.spool.folder)
        objects: list[object] = [Health(), files]
        for pack in packs:
            if pack.services:
                objects += await stack.enter_async_context(pack.services(setup))
        tools = ToolRegistry(tool for pack in packs for tool in pack.tools)

        async def ask(
            session: AsyncSession, who: Principal, kind: SubjectKind, subject_id: UUID, **more: Any
        ) -> Submission:
            return await platform.ask(session, who, kind, subject_id, **more)

        jobs = jobs_of(packs, queue)
        services = Services([*objects, jobs, RecordResearch(kinds, flows, ask)])
        schedules = Schedules(jobs, services, schedules_of(packs, jobs), _limits(settings))

        def importer_of(name: str) -> Importer[Any]:
            return platform.importer(name)

        deletion = Deletion(kinds, [erase_runs_of_records])
        models = cache(lambda: _models(settings))

        async def close_models() -> None:
            if models.cache_info().currsize:
                await models().close()

        stack.push_async_callback(close_models)
        turns = Turns(
            TurnDependencies(
                db=db,
                bus=bus,
                kinds=kinds,
                chats=chats,
                pages=pages,
                tools=tools,
                services=services,
                wizards=wizards,
                models=models,
                prices=cache(lambda: prices_for(models(), settings)),
                budget=Budget.of(settings),
                allowance=Allowance.of(settings),
                submit_research=ask,
                context_days=settings.prompt_days,
                first_piece_seconds=settings.chat_first_token_seconds,
            )
        )
        stack.push_async_callback(turns.close)
        platform = Platform(
            settings=settings,
            packs=packs,
            kinds=kinds,
            deletion=deletion,
            flows=flows,
            rollout=rollout,
            pages=pages,
            tools=tools,
            wizards=wizards,
            services=services,
            setup=setup,
            db=db,
            queue=queue,
            jobs=jobs,
            schedules=schedules,
            files=files,
            imports=BackgroundImports(db, queue, files, settings, importer_of),
            import_undo=ImportUndo(db, queue, deletion, importer_of),
            bus=bus,
            turns=turns,
            owner=opened.owner,
        )
        yield platform


@asynccontextmanager
async def worker(platform: Platform) -> AsyncGenerator[asyncio.Task[None]]:
    """Run a worker in this process; it hands its runs back when the block ends.

    It also serves conversations, so that they get its results even if no other process runs.
    """
    from whence.research.checkpoints import checkpoint_pool
    from whence.research.execution import Workplace
    from whence.research.runner import Runner

    settings = platform.settings
    models = _models(settings)
    prices = prices_for(models, settings)
    pool = checkpoint_pool(platform.db.conninfo, settings.worker_concurrency)
    await pool.open()
    db = Database(platform.db.conninfo, worker_pool_size(settings, platform.jobs.concurrency))
    keeps = settings.prompt_days > 0

    def models_for(ledger: Ledger) -> AbstractContextManager[Any]:
        return use(SkillRuntime(models, ledger, prices, keeps_exchanges=keeps))

    runner = Runner(
        db=db,
        queue=platform.queue,
        bus=platform.bus,
        checkpoints=pool,
        flows=platform.flows,
        place=Workplace(
            kinds=platform.kinds,
            tools=platform.tools,
            services=platform.services,
            models_for=models_for,
        ),
        budget_of=partial(budget_of, settings),
        node_concurrency=settings.node_concurrency,
    )
    job_runner = JobRunner(
        db=db,
        queue=platform.queue,
        bus=platform.bus,
        jobs=platform.jobs,
        services=platform.services,
        budget=Budget.of(settings),
        models_for=models_for,
    )
    platform.queue.handle(ATTEMPT_JOB, runner.attempt)
    platform.queue.handle(JOB_ATTEMPT, job_runner.attempt)
    platform.import_undo.handle()
    platform.imports.handle()
    platform.queue.handle(FOLLOW_UP_JOB, platform.follow_ups.attempt)
    concurrency = {
        QUEUE: settings.worker_concurrency,
        IMPORT_QUEUE: IMPORTS_AT_ONCE,
        **platform.jobs.concurrency,
    }
    options = WorkerOptions(concurrency, settings.heartbeat_seconds, settings.stalled_seconds)
    task = asyncio.create_task(work(platform.queue, platform.db.conninfo, options), name="worker")
    platform.turns.start()
    rules = retention_rules(platform.db, settings, platform.files)
    cancellations = Cancellations(db, platform.bus, {RESEARCH: close_cancelled})
    ticker = Ticker(db, platform.jobs, platform.schedules.declared)
    beside = [
        asyncio.create_task(prune_forever(rules), name="retention"),
        asyncio.create_task(cancellations.end_forever(), name="cancellations"),
        asyncio.create_task(ticker.run(), name="schedules"),
    ]
    message = "it has ended; restart this process"
    try:
        with platform.services.get(Health).part("worker", lambda: message if task.done() else None):
            yield task
    finally:
        for each in (task, *beside):
            each.cancel()
        await asyncio.wait([task, *beside])
        await models.close()
        await pool.close()
        await db.close()


def _limits(settings: Settings) -> Limits:
    return Limits(most=settings.schedules, shortest_seconds=settings.schedule_seconds)


def worker_pool_size(settings: Settings, jobs: Mapping[str, int]) -> int:
    """Connections for the transactions of a worker's nodes and jobs, separate from the API's.

    `jobs` is how many jobs of each queue run at once.  Imports use the connections of the platform.
    """
    at_once = settings.worker_concurrency + sum(jobs.values())
    return max(WORKER_POOL_SIZE, at_once + WORKER_POOL_SPARE)


def _models(settings: Settings) -> Models:
    return models_from(settings) if settings.budget_calls else Models()


def prices_for(models: Models, settings: Settings) -> Prices:
    """The shipped prices; where a model is configured, with the operator's `prices.toml` on top.

    A broken `prices.toml` stops nothing that no model is used for.  Raises Misconfigured.
    """
    own = settings.home / "prices.toml" if models.text or models.vision else None
    return load_prices(own)


def _chats(packs: Sequence[Pack]) -> Mapping[str, Chat]:
    chats: dict[str, Chat] = {}
    for pack in packs:
        for chat in pack.chats:
            if chat.kind in chats:
                raise Misconfigured(f"Two packs say how to talk about '{chat.kind}'.")
            chats[chat.kind] = chat
    return chats


def _pages(packs: Sequence[Pack], kinds: Mapping[str, SubjectKind]) -> Pages:
    pages = Pages(kinds)
    for pack in packs:
        pages.offer(pack.id, pack.pages, [tool.name for tool in pack.tools])
    return pages
