"""What tests of every folder share: one PostgreSQL for a whole run, a database for each test.

The run (all workers of pytest-xdist together) owns one embedded server in one temporary folder.
Its template database is migrated once; a test that asks for `database_url` gets a clone of it.

    pytestmark = pytest.mark.anyio        # async tests and async fixtures run on asyncio

    async def test_something(platform: Platform) -> None: ...             # the built program
    async def test_research(platform: Platform, worker: object) -> None:  # and a worker beside it
    async def test_answer(serve: str) -> None: ...                        # and its URL over HTTP
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import os
import shutil
import signal
import ssl
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psutil
import psycopg
import pytest
import structlog
from hypothesis import settings as hypothesis_settings
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from compiling import compile_share
from databases import cloned
from whence.db.embedded import EmbeddedPostgres
from whence.kernel.garbage import freeze_loaded_objects
from whence.kernel.ids import new_id
from whence.kernel.settings import Settings
from whence.tenancy import passwords
from whence.tenancy.principal import Principal, Role, principal

if TYPE_CHECKING:
    from streams.processes import ApiProcesses
    from whence.app.platform import Platform

# No test judges by the clock.  `make faults` tries every law on ten times as many examples.
hypothesis_settings.register_profile("daily", deadline=None, max_examples=30)
hypothesis_settings.register_profile("thorough", deadline=None, max_examples=300)
hypothesis_settings.load_profile("daily")

SAMPLE_PACKS = Path(__file__).parent / "fixtures"
FOLDER = "WHENCE_TEST_FOLDER"
"""The environment variable by which the workers of one run find its folder."""
_OWN_FOLDER = pytest.StashKey[bool]()
TEMPLATE = "whence_template"
MEMORY = Path("/dev/shm")
MEMORY_NEEDED = 4 * 2**30
"""Several times what the run's databases and their log take."""
LONG_SECONDS = 1_800
"""The limit of a test marked `long`; that of the others stands in pyproject.toml."""
_TEMPLATE_LOCK = 0x74657374
SERVER_SETTINGS = {
    # Nothing here outlives the run, so that nothing needs to reach the disk.
    "fsync": "off",
    "full_page_writes": "off",
    # Many workers, each with the pools of a whole program.
    "max_connections": "400",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    # A client that goes silent while it signs in holds up every DROP DATABASE until it is let go.
    "authentication_timeout": "5s",
}

PLAIN_LOG: list[structlog.typing.Processor] = [
    *structlog.get_config()["processors"][:-1],
    # The default draws each traceback beside its source, which takes two seconds of processor time.
    structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
]

NewPrincipal = Callable[..., Principal]


def pytest_xdist_auto_num_workers() -> int:
    """More than there are cores: many tests wait for processes, clocks and outages."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(math.ceil((cores or 1) * 1.5), min(2 * (cores or 1), 8))


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Begun in a shell's background; the programs under test would inherit the deaf ear.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in [name for name in os.environ if name.startswith("WHENCE_") and name != FOLDER]:
        del os.environ[name]  # a developer's own settings are none of a test's business
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program's own entry does
    if FOLDER not in os.environ:  # else it is that of whoever began this process
        os.environ[FOLDER] = str(new_folder())
        config.stash[_OWN_FOLDER] = True
    compile_share(config)


def new_folder() -> Path:
    """A new folder for one run; whoever made it removes it."""
    folder = Path(tempfile.mkdtemp(prefix="whence-tests-", dir=_place()))
    folder.chmod(0o755)  # as root, the server's account must be able to enter it
    return folder


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A proof that takes minutes has a longer limit than the tests of every day.

    Workers beside one another take the modules in a mixed, fixed order: folders of tests that wait
    for processes come last otherwise, and leave the cores idle.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: sha256(item.nodeid.partition("::")[0].encode()).digest())
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(LONG_SECONDS))


def pytest_collection_finish() -> None:
    """The collected tests and modules stay: the garbage collector skips them, and runs rarely."""
    freeze_loaded_objects()
    gc.set_threshold(50_000, 20, 20)


def _place() -> Path | None:
    """Memory where there is plenty of it: a database is cloned there in a fifth of the time."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return None
    room = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available)
    return MEMORY if room >= MEMORY_NEEDED else None


def pytest_unconfigure(config: pytest.Config) -> None:
    if config.stash.get(_OWN_FOLDER, False):
        shutil.rmtree(os.environ.pop(FOLDER), ignore_errors=True)


@pytest.fixture(autouse=True)
def log_of_its_own() -> Iterator[None]:
    """A test that configures the log leaves none behind that writes to where it ran."""
    root = logging.getLogger()
    before = root.handlers[:]
    structlog.configure(processors=PLAIN_LOG)
    yield
    structlog.reset_defaults()
    root.handlers[:] = before


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Passwords cost microseconds; those of a program that a test starts cost what they should."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "PARAMETERS", passwords.Parameters(1, 64, 1))
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_read_once() -> Iterator[None]:
    """HTTP clients share what each would read anew for 20 ms: the certificates of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Async tests and fixtures run on asyncio, which is what whence runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address (libpq, superuser) of this run's own PostgreSQL server."""
    embedded = EmbeddedPostgres(Path(os.environ[FOLDER]), extra_settings=SERVER_SETTINGS)
    with embedded as server:
        yield server.admin_url


@pytest.fixture(scope="session")
def template(postgres: str) -> str:
    """The name of a database at this version, with the packs in the tree and the sample pack."""
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_TEMPLATE_LOCK,))
        rows = connection.execute("SELECT FROM pg_database WHERE datname = %s", (TEMPLATE,))
        if rows.fetchone() is None:
            connection.execute("DROP DATABASE IF EXISTS template_draft WITH (FORCE)")
            connection.execute("CREATE DATABASE template_draft")
            asyncio.run(_start_once(make_conninfo(postgres, dbname="template_draft")))
            connection.execute(f"ALTER DATABASE template_draft RENAME TO {TEMPLATE}")
    return TEMPLATE


async def _start_once(url: str) -> None:
    """Migrate the database, and do what a first start does beside it."""
    from whence.app import build

    async with build.platform(Settings(database_url=SecretStr(url), pack_dirs=[SAMPLE_PACKS])):
        pass


@pytest.fixture
def database_url(postgres: str, template: str) -> Iterator[str]:
    """A fresh database at this version, with the local owner in it; dropped after the test."""
    with cloned(postgres, template) as url:
        yield url


@pytest.fixture
def looker(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A connection beside the program's own, to see what its sessions do."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    """Settings for a fresh database, a home of its own and the sample pack; no model."""
    home = tmp_path / "home"
    home.mkdir()
    return Settings(
        home=home,
        database_url=SecretStr(database_url),
        pack_dirs=[SAMPLE_PACKS],
        requests_per_minute=100_000,  # one test asks more in a minute than a person
        web_dir=home,  # without the web application, which a machine without Node cannot build
    )


@pytest.fixture
async def platform(settings: Settings) -> AsyncIterator[Platform]:
    """The whole program, built as `app.build` builds it, without a worker."""
    from whence.app import build  # the whole engine: seconds that a test without it can spare

    async with build.platform(settings) as other_platform:
        yield other_platform


@pytest.fixture
async def worker(platform: Platform) -> AsyncIterator[asyncio.Task[None]]:
    """A worker in this process that takes the platform's runs."""
    from whence.app import build

    async with build.worker(platform) as task:
        yield task


@pytest.fixture
async def serve(platform: Platform) -> AsyncIterator[str]:
    """The URL of a real server (uvicorn, a free port) for the platform; no worker beside it."""
    from whence.transports.serve import serve as serve_api

    url: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve_api(platform, "127.0.0.1", 0, url.set_result))
    await asyncio.wait([task, url], return_when=asyncio.FIRST_COMPLETED)
    yield url.result() if url.done() else task.result()
    task.cancel()
    await asyncio.wait([task])


@pytest.fixture
def start_api(settings: Settings) -> Iterator[ApiProcesses]:
    """`await start_api(port)`: an API process of its own, killed at the latest after the test."""
    from streams.processes import api_processes

    with api_processes(settings) as start:
        yield start


@pytest.fixture
def new_principal(database_url: str) -> NewPrincipal:
    """`new_principal(Role.VIEWER, org_id=...)`: a new member; without `org_id`, of a new one."""

    def make(role: Role = Role.OWNER, org_id: UUID | None = None) -> Principal:
        user, org = new_id(), org_id or new_id()
        with psycopg.connect(database_url) as connection:
            if org_id is None:
                connection.execute(
                    "INSERT INTO whence.organizations (org_id, name) VALUES (%s, 'Another')", (org,)
                )
            connection.execute(
                "INSERT INTO whence.users (id, email, name) VALUES (%s, %s, 'Somebody')",
                (user, f"{user.hex}@example.org"),
            )
            connection.execute(
                "INSERT INTO whence.memberships (org_id, user_id, role) VALUES (%s, %s, %s)",
                (org, user, role.value),
            )
        return principal(org, user, role)

    return make
