"""Structured logs on stderr: whence's lines and every library's through one chain.

One JSON object a line, or text where stderr is a terminal.  A line carries the ids of what it
belongs to (`request`, `org`, `user`, `run`, `attempt`, `node`), bound once for a task and inherited
by the tasks that it starts.  `kernel/masking.py` keeps secrets and records out.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterable, MutableMapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TextIO

import structlog

from whence.kernel.masking import hide, masked_value

QUIET = logging.WARNING
"""Less severe lines of libraries are never logged: they may quote requests and arguments."""
_WITH_HANDLERS_OF_THEIR_OWN = ("engineio.server", "socketio.server")
"""They add a handler that writes plain text, unless their level was set before they start."""


def configure(
    level: str,
    *,
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
    as_text: bool | None = None,
) -> None:
    """Send logs of whence and its libraries of at least `level` to `stream` (default: stderr).

    `secrets` are blanked out wherever they occur.  `as_text`: for people; default: on a terminal.
    """
    hide(secrets)
    to = stream or sys.stderr
    number = logging.getLevelNamesMapping()[level.upper()]
    chain = _chain(to.isatty() if as_text is None else as_text)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *chain],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(to),
        # Loggers are made on import, before this; one that kept its chain would miss it.
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(to)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.contextvars.merge_contextvars, _named_by_library],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *chain],
        )
    )
    logging.basicConfig(level=max(number, QUIET), handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    for name in _WITH_HANDLERS_OF_THEIR_OWN:
        logging.getLogger(name).setLevel(max(number, QUIET))
    sys.excepthook = _crashed
    threading.excepthook = _thread_crashed


def get(name: str) -> structlog.typing.FilteringBoundLogger:
    """A logger whose lines carry `source=name` (structlog keeps the word `logger` for itself)."""
    return structlog.get_logger(source=name)


def bind(**ids: object) -> None:
    """Add these ids to all further lines of this task and of tasks that it starts."""
    structlog.contextvars.bind_contextvars(**_words(ids))


def bound(**ids: object) -> AbstractContextManager[None]:
    """As `bind`, for a block."""
    return structlog.contextvars.bound_contextvars(**_words(ids))


def _words(ids: dict[str, object]) -> dict[str, object]:
    return {
        name: value if isinstance(value, int) else str(value)
        for name, value in ids.items()
        if value is not None
    }


def _chain(as_text: bool) -> list[structlog.typing.Processor]:
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if as_text
        else structlog.processors.JSONRenderer(default=str)
    )
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        _mask,
        last,
    ]


def _mask(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {name: masked_value(name, value) for name, value in event.items()}


def _named_by_library(
    logger: logging.Logger | None, _: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    record: logging.LogRecord | None = event.get("_record")
    event["source"] = record.name if record else getattr(logger, "name", "library")
    return event


def _crashed(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    get("process").critical("the process crashed", exc_info=(kind, error, trace))


def _thread_crashed(crash: threading.ExceptHookArgs) -> None:
    if crash.exc_value is not None:
        exc_info = (crash.exc_type, crash.exc_value, crash.exc_traceback)
        get("process").error("a thread crashed", exc_info=exc_info)
