"""What `whence doctor` looks at beyond packs and models: is this installation fit to be relied on.

Reading comes first (`look`); what it means is decided by pure functions.
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
"""PostgreSQL needs room for its log and for vacuuming before it needs it for data."""
MOST_SKEW_SECONDS = 2.0
"""Beyond, times of events and of the next attempt visibly differ between machines."""
LONGEST_WAIT_SECONDS = 300.0
"""A job that has waited longer tells that workers are missing."""
_READ = text("""
    SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,
        clock_timestamp(), row_security_active('whence.runs'),
        (SELECT count(*) FROM whence.work WHERE status = 'paused'),
        (SELECT count(*) FROM whence.work WHERE status = 'paused' AND resume_at IS NULL)
""")


@dataclass(frozen=True)
class Seen:
    """What the database said."""

    version: str
    major: int
    skew: timedelta
    """Its clock minus ours."""
    bound: bool
    """Whether row-level security binds the application."""
    paused: int
    asked: int
    """Of the paused, how many wait for a person."""
    revision: str
    figures: Sequence[Figure]

    def figure(self, name: str) -> float:
        """The figure over all its labels: the sum, or of ages the greatest; 0 for none."""
        values = [item.value for item in self.figures if item.name == name]
        return max(values, default=0) if name.endswith("_seconds") else sum(values)


async def look(built: Platform) -> Seen:
    """Read it all; raises DatabaseBusy."""
    async with built.unit(built.owner) as unit:
        before = now()
        version, major, clock, bound, paused, asked = (await unit.execute(_READ)).one()
        skew = _between(before, now(), clock)
    revision = await figures.revision(built.db)
    found = await figures.figures(built.db)
    return Seen(version, major, skew, bound, paused, asked, revision, found)


def checks(found: Settings, seen: Seen) -> list[Check]:
    """Every check of the installation but the database's own."""
    return [
        _role(seen),
        _clock(seen.skew.total_seconds()),
        *_work(seen),
        *_home(found.home),
        _backup(seen.major),
        *access(found),
    ]


def database(found: Settings, seen: Seen) -> Check:
    """The first check: which database this is."""
    where = "external" if found.database_url else f"embedded in {found.home}"
    size = seen.figure("database_bytes") / 1e6
    detail = f"PostgreSQL {seen.version}, {where}, {size:.0f} MB, revision {seen.revision}"
    return Check("database", works=True, detail=detail)


def access(found: Settings) -> list[Check]:
    """Who can reach the API and how: accounts, the public address, cookies, proxies."""
    if not found.accounts:
        state = "off: one owner, signed in by the link of `whence serve`, on this machine only"
        near = _is_near(found.host) and (not found.public_url or _is_near(_host(found.public_url)))
        fix = "" if near else "; others can reach it, switch accounts on"
        return [Check("accounts", works=near, detail=state + fix, setting="WHENCE_ACCOUNTS")]
    listed = [Check("accounts", works=True, detail="on: people sign in with e-mail and password")]
    url = found.public_url
    if not url:
        detail = "none; links and cookies are made for the address that each request names"
        return [*listed, Check("public address", _is_near(found.host), detail, "WHENCE_PUBLIC_URL")]
    secure = url.startswith("https://") or _is_near(_host(url))
    detail = (
        url if secure else f"{url}: passwords and cookies travel unencrypted; put TLS before it"
    )
    listed.append(Check("public address", secure, detail, "WHENCE_PUBLIC_URL"))
    if not found.trusted_proxies:
        detail = "none; behind a proxy, limits count all clients as one"
        listed.append(
            Check("proxies", works=False, detail=detail, setting="WHENCE_TRUSTED_PROXIES")
        )
    return listed


def _role(seen: Seen) -> Check:
    words = "row-level security binds the application to one organization at a time"
    fix = "row-level security does not bind the application: take SUPERUSER and BYPASSRLS from it"
    return Check("tenants", works=seen.bound, detail=words if seen.bound else fix)


def _clock(skew: float) -> Check:
    fine = abs(skew) <= MOST_SKEW_SECONDS
    fix = "" if fine else "; let NTP set both clocks"
    return Check("clock", works=fine, detail=f"{skew:+.2f} s from the database's{fix}")


def _work(seen: Seen) -> list[Check]:
    workers, waiting = int(seen.figure("workers")), int(seen.figure("queue_depth"))
    oldest = seen.figure("queue_oldest_seconds")
    idle = waiting > 0 and workers == 0
    fix = "; start `whence worker`" if idle else ""
    told = f"{waiting} runs wait, the oldest for {oldest:.0f} s" if waiting else "nothing waits"
    late = oldest > LONGEST_WAIT_SECONDS
    more = "; start more workers, or raise WHENCE_WORKER_CONCURRENCY" if late and workers else ""
    answer = "; answer them over the API" if seen.asked else ""
    paused = f"{seen.paused} paused, {seen.asked} of them wait for a person's answer{answer}"
    return [
        Check("workers", works=not idle, detail=f"{workers} alive{fix}"),
        Check("queue", works=not late, detail=told + more),
        Check("paused runs", works=not seen.asked, detail=paused),
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
