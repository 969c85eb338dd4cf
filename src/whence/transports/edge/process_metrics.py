"""`/metrics` and readiness for every process, whatever it serves."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily

from whence.app.platform import Platform
from whence.db import figures
from whence.db.database import DatabaseBusy
from whence.db.figures import Figure
from whence.kernel import metrics
from whence.kernel.health import Health
from whence.work.queue import Priority

ANSWER_SECONDS = 5.0
"""Longest wait for the database; load balancers and Prometheus give up after 10 by default."""

READ: dict[str, tuple[str, str]] = {
    "runs": ("Runs under way, by state.", "state"),
    "runs_ended_last_day": ("Runs that ended within 24 hours, by state.", "state"),
    "queue_depth": ("Jobs that could start now and wait for a worker.", "priority"),
    "queue_oldest_seconds": ("How long the oldest of them has waited.", "priority"),
    "queue_scheduled": ("Jobs that wait for their time, such as those of paused runs.", ""),
    "jobs_in_work": ("Jobs that workers have taken.", ""),
    "workers": ("Workers that have said within 30 seconds that they are alive.", ""),
    "longest_silence_seconds": ("Silence of the worker that was heard of least lately.", ""),
    "database_bytes": ("Size of the database.", ""),
}
"""Figures the database counts over all processes: description and label of each."""
OWN: dict[str, str] = {
    "database_up": "Whether the database answered this process just now.",
    "bus_listening": "Whether this process hears notifications of the database.",
    "subscribers": "Clients of this process that follow a run.",
    "connections_in_use": "Database connections of this process that are in use.",
    "connections_most": "Database connections that this process may open.",
}
"""Figures this process reads from itself."""
STATES = {
    "runs": ("pending", "running", "paused"),
    "runs_ended_last_day": ("success", "error", "cancelled"),
    "queue_depth": tuple(Priority),
}
"""Labels shown even with 0, so that graphs have no gaps."""


async def scraped(platform: Platform) -> bytes:
    """Everything reported to Prometheus; figures from the database are left out while it is
    away."""
    try:
        read = await asyncio.wait_for(figures.figures(platform.db), ANSWER_SECONDS)
    except (DatabaseBusy, TimeoutError):
        read = None
    in_use, most = platform.db.connections
    own = {
        "database_up": float(read is not None),
        "bus_listening": float(platform.bus.is_listening),
        "subscribers": float(platform.bus.subscribers),
        "connections_in_use": float(in_use),
        "connections_most": float(most),
    }
    gauges = [GaugeMetricFamily(f"whence_{k}", OWN[k], value=v) for k, v in own.items()]
    return metrics.shown([*gauges, *gauges_of(read)] if read is not None else gauges)


def gauges_of(figures: Iterable[Figure]) -> list[GaugeMetricFamily]:
    """The database's figures as gauges, with every known label."""
    values: dict[str, dict[str, float]] = defaultdict(dict)
    for figure in figures:
        values[figure.name][_label(figure)] = figure.value
    gauges: list[GaugeMetricFamily] = []
    for name, (words, label) in READ.items():
        gauge = GaugeMetricFamily(f"whence_{name}", words, labels=[label] if label else [])
        samples = dict.fromkeys(STATES.get(name, () if label else ("",)), 0.0) | values[name]
        for word, value in samples.items():
            gauge.add_metric([word] if label else [], value)
        gauges.append(gauge)
    return gauges


async def failing(platform: Platform) -> dict[str, str]:
    """What prevents this process from working, by part; empty when it is ready."""
    wrong = platform.services.get(Health).failing()
    if not platform.bus.is_listening:
        wrong["events"] = "notifications of the database do not arrive; this mends itself"
    try:
        revision = await asyncio.wait_for(figures.revision(platform.db), ANSWER_SECONDS)
    except DatabaseBusy as error:
        wrong["database"] = error.message
    except TimeoutError:
        wrong["database"] = f"the database has not answered for {ANSWER_SECONDS:g} seconds"
    else:
        if revision < (own := figures.own_revision()):
            wrong["migrations"] = (
                f"the database is at revision {revision or 'none'}, this program needs {own}; "
                "restart it, which migrates"
            )
    return wrong


def _label(figure: Figure) -> str:
    """Parse a queue's priority number into its name; unknown numbers stay numbers."""
    words = {str(level.number): level.value for level in Priority}
    return words.get(figure.label, figure.label)
