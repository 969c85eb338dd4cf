"""The checks of `whence doctor` beyond packs and models: is this installation sound?

`take_snapshot` reads the facts; pure functions judge them.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from sqlalchemy import text

from whence.app.platform import Platform
from whence.db import figures
from whence.db.client_tools import NoClientTools, tools_for
from whence.db.figures import Figure
from whence.kernel.clock import now
from whence.kernel.settings import Settings
from whence.sdk import Check

LEAST_FREE_BYTES = 2_000_000_000
"""PostgreSQL needs space for its log and for vacuuming, in addition to the data."""
MOST_SKEW_SECONDS = 2.0
"""Beyond this, times of events and of the next attempt visibly differ between machines."""
LONGEST_WAIT_SECONDS = 300.0
"""A job that has waited longer means that workers are missing."""
_READ = text("""
    SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
        clock_timestamp(), row_security_active('whence.runs'),
        (SELECT count(*) FROM whence.work WHERE status = 'paused'),
        (SELECT count(*) FROM whence.work WHERE status = 'paused' AND resume_at IS NULL)
""")


@dataclass(frozen=True)
class Snapshot:
    """Facts read from the database."""

    version: str
    major: int
    skew: timedelta
    """Its clock minus ours."""
    bound: bool
    """Whether row-level security restricts the application."""
    paused: int
    waiting_for_person: int
    """How many of the paused runs wait for a person."""
    revision: str
    figures: Sequence[Figure]

    def figure(self, name: str) -> float:
        """The figure over all its labels: the sum, or for ages the maximum; 0 if there is none."""
        values = [item.value for item in self.figures if item.name == name]
        return max(values, default=0) if name.endswith("_seconds") else sum(values)


async def take_snapshot(platform: Platform) -> Snapshot:
    """Read all facts; raises DatabaseBusy."""
    async with platform.unit(platform.owner) as unit:
        before = now()
        version, major, clock, bound, paused, waiting_for_person = (await unit.execute(_READ)).one()
        skew = _between(before, now(), clock)
    revision = await figures.revision(platform.db)
    values = await figures.figures(platform.db)
    return Snapshot(version, major, skew, bound, paused, waiting_for_person, revision, values)


def checks(settings: Settings, snapshot: Snapshot) -> list[Check]:
    """Every check of the installation but the database's own."""
    return [
        _role(snapshot),
        _clock(snapshot.skew.total_seconds()),
        *_work(snapshot),
        *_home(settings.home),
        _backup(snapshot.major),
        *access(settings),
    ]


def database(settings: Settings, snapshot: Snapshot) -> Check:
    """The first check: which database this is."""
    where = "external" if settings.database_url else f"embedded in {settings.home}"
    size = snapshot.figure("database_bytes") / 1e6
    detail = f"PostgreSQL {snapshot.version}, {where}, {size:.0f} MB, revision {snapshot.revision}"
    return Check("database", works=True, detail=detail)


def access(settings: Settings) -> list[Check]:
    """Who can reach the API and how: accounts, the public address, cookies, proxies."""
    if not settings.accounts:
        state = "off: one owner, signed in by the link of `whence serve`, on this machine only"
        near = _is_near(settings.host) and (
            not settings.public_url or _is_near(_host(settings.public_url))
        )
        fix = "" if near else "; others can reach it, so enable accounts"
        return [Check("accounts", works=near, detail=state + fix, setting="WHENCE_ACCOUNTS")]
    listed = [Check("accounts", works=True, detail="on: people sign in with e-mail and password")]
    url = settings.public_url
    if not url:
        detail = "none; links and cookies use the address that each request names"
        return [
            *listed,
            Check("public address", _is_near(settings.host), detail, "WHENCE_PUBLIC_URL"),
        ]
    secure = url.startswith("https://") or _is_near(_host(url))
    detail = url if secure else f"{url}: passwords and cookies travel unencrypted; use TLS"
    listed.append(Check("public address", secure, detail, "WHENCE_PUBLIC_URL"))
    if not settings.trusted_proxies:
        detail = "none; behind a proxy, limits count all clients as one"
        listed.append(
            Check("proxies", works=False, detail=detail, setting="WHENCE_TRUSTED_PROXIES")
        )
    return listed


def _role(snapshot: Snapshot) -> Check:
    words = "row-level security restricts the application to one organization at a time"
    fix = "row-level security does not restrict the role: remove its SUPERUSER and BYPASSRLS"
    return Check("tenants", works=snapshot.bound, detail=words if snapshot.bound else fix)


def _clock(skew: float) -> Check:
    fine = abs(skew) <= MOST_SKEW_SECONDS
    fix = "" if fine else "; let NTP set both clocks"
    return Check("clock", works=fine, detail=f"{skew:+.2f} s from the database's{fix}")


def _work(snapshot: Snapshot) -> list[Check]:
    workers, waiting = int(snapshot.figure("workers")), int(snapshot.figure("queue_depth"))
    oldest = snapshot.figure("queue_oldest_seconds")
    idle = waiting > 0 and workers == 0
    fix = "; start `whence worker`" if idle else ""
    queue = f"{waiting} runs wait, the oldest for {oldest:.0f} s" if waiting else "nothing waits"
    late = oldest > LONGEST_WAIT_SECONDS
    more = "; start more workers, or raise WHENCE_WORKER_CONCURRENCY" if late and workers else ""
    answer = "; answer them over the API" if snapshot.waiting_for_person else ""
    people = snapshot.waiting_for_person
    paused = f"{snapshot.paused} paused, {people} of them wait for a person's answer{answer}"
    return [
        Check("workers", works=not idle, detail=f"{workers} alive{fix}"),
        Check("queue", works=not late, detail=queue + more),
        Check("paused runs", works=not snapshot.waiting_for_person, detail=paused),
    ]


def _home(home: Path) -> list[Check]:
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            free = shutil.disk_usage(home).free
    except OSError as error:
        fix = f"{home} cannot be written ({error.strerror}); give it to the user whence runs as"
        return [Check("home", works=False, detail=fix, setting="WHENCE_HOME")]
    enough = free >= LEAST_FREE_BYTES
    detail = f"{free / 1e9:.1f} GB free in {home}" + ("" if enough else "; make room")
    return [Check("home", works=enough, detail=detail)]


def _backup(major: int) -> Check:
    try:
        tools = tools_for(major)
    except NoClientTools as error:
        return Check("backup", works=False, detail=error.message)
    return Check("backup", works=True, detail=f"with pg_dump {tools.major}")


def _between(before: datetime, after: datetime, clock: datetime) -> timedelta:
    """How far `clock` lies outside the time in which it was read; none within it."""
    return max(clock - after, timedelta()) + min(clock - before, timedelta())


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _is_near(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
