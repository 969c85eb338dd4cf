"""Ask the server itself whether it is ready: no other sign is reliable."""

from __future__ import annotations

from enum import Enum

import psycopg
from psycopg import sql

CONNECT_SECONDS = 5
"""A local server that does not answer within this time counts as hung."""


class Answer(Enum):
    """The outcome of a connection attempt."""

    READY = "ready"
    NO_DATABASE = "the server is ready, the database does not exist yet"
    REFUSED = "the password is wrong"
    LEAVING = "it is shutting down"
    SILENT = "no answer, or none yet"


def ask(url: str) -> Answer:
    """Connect to `url` and run `SELECT 1`."""
    try:
        with psycopg.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
            connection.execute("SELECT 1")
    except psycopg.OperationalError as error:
        return classified(str(error))
    return Answer.READY


def classified(message: str) -> Answer:
    """Classify a failed attempt by its message; libpq gives no code, but `lc_messages=C` fixes the
    wording."""
    if "too many clients" in message or "remaining connection slots" in message:
        return Answer.READY
    if "does not exist" in message and "database" in message:
        return Answer.NO_DATABASE
    if "authentication failed" in message:
        return Answer.REFUSED
    if "is shutting down" in message:
        return Answer.LEAVING
    return Answer.SILENT


def create_database(url: str, name: str) -> None:
    """Create the database `name` through `url`."""
    with psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
