"""Structured logs on stderr: one JSON line each, secrets masked by key."""

from __future__ import annotations

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

_SECRET = ("token", "secret", "password", "authorization", "cookie", "api_key", "apikey")


def _mask(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for key in event:
        if any(part in key.lower() for part in _SECRET):
            event[key] = "***"
    return event


def configure(level: str) -> None:
    """Send whence's and the libraries' logs of at least `level` to stderr as JSON lines."""
    number = logging.getLevelNamesMapping()[level.upper()]
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr, force=True)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _mask,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def get(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines carry `source=name` (structlog keeps the word `logger` for itself)."""
    return structlog.get_logger(source=name)
