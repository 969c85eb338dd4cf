"""The log: one JSON object a line from everybody, with ids, without secrets and records."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
import structlog
from pydantic import BaseModel, ValidationError

from whence.kernel import log, masking

LIBRARIES = ("psycopg.pool", "procrastinate.worker", "uvicorn.error", "engineio.server", "asyncio")
TOKEN = "whence_" + "Ab3-_xY9" * 5
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
SECRETS = [
    (f"token {TOKEN} refused", TOKEN),
    (f"'{JWT}' has expired", JWT),
    ("cannot connect to postgresql://whence:s3cr3tWord@db.example.org/whence", "s3cr3tWord"),
    ("redis://:s3cr3tWord@cache:6379/0 is away", "s3cr3tWord"),
    ("host=db user=whence password=s3cr3tWord dbname=x", "s3cr3tWord"),
    ("host=db password='s3cr3t Word' dbname=x", "s3cr3t Word"),
    ("Authorization: Bearer abcdef0123456789", "abcdef0123456789"),
    ("headers {'authorization': 'Basic dXNlcjpwYXNz'}", "dXNlcjpwYXNz"),
    ("Cookie: whence_access=abc.def; other=1", "abc.def"),
    ("GET http://127.0.0.1:8000/sign-in?token=abcdefgh12345", "abcdefgh12345"),
    ("/reset?reset_token=zzz99zz&x=1", "zzz99zz"),
    ("Incorrect API key provided: sk-ant-api03-abcDEF123456", "sk-ant-api03-abcDEF123456"),
    ("Incorrect API key provided: sk-proj-abcDEF123456", "sk-proj-abcDEF123456"),
    ("refresh with Atzr|IwEBIJedGXjDqsU_vMxykqOMg failed", "IwEBIJedGXjDqsU_vMxykqOMg"),
    ("$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaA", "c2FsdHNhbHQ"),
]

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    """Where the log goes during this test; afterwards the log is as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    to = io.StringIO()
    log.configure("info", stream=to)
    yield to
    structlog.contextvars.clear_contextvars()
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level


@pytest.fixture
def lines(stream: io.StringIO) -> Lines:
    return lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


def test_whence_writes_one_json_object_a_line(lines: Lines) -> None:
    log.get("research.runner").info("attempt is over", attempt=2)
    [line] = lines()
    assert line["event"] == "attempt is over"
    assert (line["source"], line["level"], line["attempt"]) == ("research.runner", "info", 2)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", line["timestamp"])


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_writes_the_same(name: str, lines: Lines) -> None:
    logging.getLogger(name).warning("discarding connection %s", 7)
    [line] = lines()
    assert (line["event"], line["source"]) == ("discarding connection 7", name)
    assert line["level"] == "warning"


def test_socket_servers_add_no_handler_that_writes_plain_text(stream: io.StringIO) -> None:
    import socketio

    names = ("engineio.server", "socketio.server")
    for name in names:
        logging.getLogger(name).handlers.clear()  # of servers that were made without a log
    socketio.AsyncServer(async_mode="asgi")
    for name in names:
        assert not logging.getLogger(name).handlers


def test_an_error_that_ends_a_thread_is_a_line_too(lines: Lines) -> None:
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert "ZeroDivisionError" in lines()[0]["exception"]


def test_libraries_say_nothing_less_severe_than_a_warning(lines: Lines) -> None:
    logging.getLogger("procrastinate.worker").info("job with its arguments")
    assert lines() == []


async def _in_task(word: str) -> None:
    log.bind(run=word)
    await asyncio.sleep(0)
    log.get("test").info("hello")


def test_ids_belong_to_the_task_that_bound_them(lines: Lines) -> None:
    async def both() -> None:
        with log.bound(request="r1", org=None):
            await asyncio.gather(_in_task("a"), _in_task("b"))
        log.get("test").info("after")

    asyncio.run(both())
    assert [(line.get("request"), line.get("run")) for line in lines()] == [
        ("r1", "a"),
        ("r1", "b"),
        (None, None),
    ]


def test_a_librarys_line_carries_the_ids_too(lines: Lines) -> None:
    with log.bound(run="r"):
        logging.getLogger("psycopg.pool").error("no connection")
    assert lines()[0]["run"] == "r"


@pytest.mark.parametrize(("words", "secret"), SECRETS)
def test_a_secret_is_masked_by_its_shape_wherever_it_stands(
    words: str, secret: str, stream: io.StringIO
) -> None:
    log.get("test").warning(words, detail=[{"said": words}])
    logging.getLogger("httpx").warning("%s", words)
    try:
        raise RuntimeError(words)
    except RuntimeError:
        log.get("test").exception("it failed")
    assert secret not in stream.getvalue()
    assert stream.getvalue().count("***") >= 4


def test_a_secret_is_masked_by_its_name_at_any_depth(stream: io.StringIO) -> None:
    sent = {"headers": {"X-Api-Key": "plain1", "set-cookie": "plain2"}, "tokens": 12}
    log.get("test").info("sent", new_password="plain3", request_data=sent)
    assert "plain" not in stream.getvalue()
    assert '"tokens": 12' in stream.getvalue()


def test_configured_secrets_are_masked_whatever_they_look_like(stream: io.StringIO) -> None:
    environment = {
        "OPENAI_API_KEY": "plain words 1",
        "WHENCE_METRICS_TOKEN": "plain words 2",
        "WHENCE_DATABASE_URL": "postgresql://me:plain%20words%203@db/x",
        "EDITOR": "vi-improved",
    }
    log.configure("info", stream=stream, secrets=masking.configured_secrets(environment))
    log.get("test").info("plain words 1, plain words 2, plain words 3, vi-improved")
    assert json.loads(stream.getvalue())["event"] == "***, ***, ***, vi-improved"


ROW = "Grandmother ring"


class Item(BaseModel):
    price: int


def test_records_that_a_database_or_a_model_quotes_are_left_out(stream: io.StringIO) -> None:
    error = psycopg.errors.CheckViolation(
        'new row violates check "x"\nDETAIL:  Failing row contains (1, Grandmother ring, 900).'
    )
    log.get("test").error("it failed", exc_info=error, error=str(error))
    with pytest.raises(ValidationError) as refused:
        Item.model_validate({"price": ROW})
    log.get("test").error("it failed", exc_info=refused.value)
    assert "Grandmother" not in stream.getvalue()
    assert "violates check" in stream.getvalue()


def test_it_is_text_for_people_with_the_same_masks(stream: io.StringIO) -> None:
    log.configure("info", stream=stream, as_text=True)
    local = TOKEN
    try:
        raise RuntimeError(local)
    except RuntimeError:
        log.get("test").exception("it failed")
    assert "it failed" in stream.getvalue()
    assert TOKEN not in stream.getvalue()
    with pytest.raises(json.JSONDecodeError):
        json.loads(stream.getvalue().splitlines()[0])


def test_names_that_only_look_like_secrets_stay(lines: Lines) -> None:
    log.get("test").info("role whence_app, channel whence_events, task-id 0190, risk-averse")
    assert (
        lines()[0]["event"] == "role whence_app, channel whence_events, task-id 0190, risk-averse"
    )
