"""What this process counts about itself, for Prometheus (`docs/reference/metrics.md`).

Counters belong to a process, as Prometheus expects; figures from the database are read when
`/metrics` is requested (`db/figures.py`).  Labels come from fixed lists, never ids: each
combination of labels is a time series that somebody has to store.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector

REGISTRY = CollectorRegistry()
"""Not the library's own, to which any dependency may add."""
ProcessCollector(registry=REGISTRY)

_NODE_SECONDS = (0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15, 60, 300)
_SHORT_SECONDS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)

_nodes = Histogram(
    "whence_node_seconds",
    "Time that nodes of research flows took.",
    ("flow", "node", "status"),
    buckets=_NODE_SECONDS,
    registry=REGISTRY,
)
_attempts = Counter(
    "whence_attempts",
    "Runs that a worker of this process took, by whether it resumed after earlier steps.",
    ("resumed",),
    registry=REGISTRY,
)
_endings = Counter(
    "whence_attempt_endings",
    "How attempts of this process ended.",
    ("ending",),
    registry=REGISTRY,
)
_sweeps = Counter("whence_sweeps", "Sweeps for the jobs of dead workers.", registry=REGISTRY)
_handed_on = Counter(
    "whence_jobs_handed_on", "Jobs of dead workers handed to others.", registry=REGISTRY
)
_requests_to_models = Counter(
    "whence_model_calls", "Requests sent to models.", ("model",), registry=REGISTRY
)
_answers = Counter(
    "whence_model_answers",
    "Uses of a model by a skill, by how they ended.",
    ("model", "outcome"),
    registry=REGISTRY,
)
_tokens = Counter(
    "whence_model_tokens", "Tokens of models.", ("model", "direction"), registry=REGISTRY
)
_money = Counter(
    "whence_model_usd",
    "US dollars spent on models, if the price is known.",
    ("model",),
    registry=REGISTRY,
)
_retries = Counter(
    "whence_retries", "Outside calls that were tried again.", ("of",), registry=REGISTRY
)
_lag = Histogram(
    "whence_event_lag_seconds",
    "Time from writing an event until a reader of this process has it.",
    buckets=_SHORT_SECONDS,
    registry=REGISTRY,
)
_http = Histogram(
    "whence_http_request_seconds",
    "Time to the first byte of a response.",
    ("method", "route", "status"),
    buckets=_SHORT_SECONDS,
    registry=REGISTRY,
)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def node_ended(flow: str, node: str, status: str, seconds: float) -> None:
    """A node of a flow (`items/research`) has ended with `success`, `error` or `paused`."""
    _nodes.labels(flow, node, status).observe(seconds)


def attempt_began(*, resumed: bool) -> None:
    """A worker took a run; `resumed`: earlier attempts had finished steps."""
    _attempts.labels("yes" if resumed else "no").inc()


def attempt_ended(ending: str) -> None:
    """An attempt ended: `success`, `error`, `paused`, `asked`, `handed_back`, `stale`,
    `cancelled`, or `fell_back`, where a candidate version gave way.
    """
    _endings.labels(ending).inc()


def swept(handed_on: int) -> None:
    """The sweeper looked, and handed this many jobs on."""
    _sweeps.inc()
    _handed_on.inc(handed_on)


def model_used(
    model: str, outcome: str, calls: int, tokens_in: int, tokens_out: int, usd: float | None
) -> None:
    """A skill used a model (`provider:name`): `ok`, `repaired`, `fallback` or `error`."""
    _requests_to_models.labels(model).inc(calls)
    _answers.labels(model, outcome).inc()
    _tokens.labels(model, "in").inc(tokens_in)
    _tokens.labels(model, "out").inc(tokens_out)
    _money.labels(model).inc(usd or 0.0)


def tried_again(of: str) -> None:
    """An outside call is tried again: of a `model`, a `fetch`, or a `client` of a pack's own."""
    _retries.labels(of).inc()


def event_read(lag_seconds: float) -> None:
    """A reader that had caught up got an event this long after it was written."""
    _lag.observe(max(0.0, lag_seconds))


def answered(method: str, route: str, status: int, seconds: float) -> None:
    """An HTTP request was answered; `route` is the template, never the path."""
    name = method if method in _METHODS else "other"
    _http.labels(name, route, str(status)).observe(seconds)


def shown(gauges: list[GaugeMetricFamily]) -> bytes:
    """Everything in Prometheus' text format: this process' counts, and figures read just now."""
    now = CollectorRegistry()
    now.register(_Read(gauges))
    return generate_latest(REGISTRY) + generate_latest(now)


class _Read(Collector):
    def __init__(self, gauges: list[GaugeMetricFamily]) -> None:
        self._gauges = gauges

    def collect(self) -> list[GaugeMetricFamily]:
        return self._gauges
