"""The metrics page holds every figure with its type and labels, and the alerts ask for no other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics import MetricWrapperBase

from whence.db.figures import Figure
from whence.kernel import metrics
from whence.transports.edge.process_metrics import OWN, READ, gauges_of

PAGE = "docs/reference/metrics.md"


def counted() -> dict[str, tuple[str, set[str]]]:
    made = [item for item in vars(metrics).values() if isinstance(item, MetricWrapperBase)]
    result = {item._name: (item._type, set(item._labelnames)) for item in made}
    for name in OWN:
        result[f"whence_{name}"] = ("gauge", set())
    for name, (_, label) in READ.items():
        result[f"whence_{name}"] = ("gauge", {label} - {""})
    return result


def test_every_figure_is_documented_and_none_that_is_gone(
    page: Callable[[str], Any], table_rows: Callable[[str], Any]
) -> None:
    values = {
        row[0].strip("`"): (row[1], set(re.findall(r"`(\w+)`", row[2])))
        for row in table_rows(page(PAGE).text)
    }

    assert values == counted()


def test_every_state_that_is_shown_is_named(page: Callable[[str], Any]) -> None:
    gauges: list[GaugeMetricFamily] = gauges_of([Figure("queue_depth", "10", 1.0)])
    words = {v for gauge in gauges for sample in gauge.samples for v in sample.labels.values()}

    assert {"pending", "success", "high"} <= words
    assert all(f"`{word}`" in page(PAGE).text for word in words)


def test_alerts_ask_for_figures_that_there_are(page: Callable[[str], Any]) -> None:
    [alerts] = page("docs/deploy.md").code("yaml")
    request = set(re.findall(r"\bwhence_\w+", alerts))
    shown = {
        name + suffix
        for name, (kind, _) in counted().items()
        for suffix in {"counter": ("_total",), "histogram": ("_bucket", "_count", "_sum")}.get(
            kind, ("",)
        )
    }

    assert request
    assert request <= shown
