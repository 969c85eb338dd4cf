"""Asking the server itself whether it is ready: the only answer that counts."""

from __future__ import annotations

from enum import Enum

import psycopg
from psycopg import sql

CONNECT_SECONDS = 5
"""A server on the same machine that says nothing for so long is hung."""


class Answer(Enum):
    """What came back from a connection attempt."""

    READY = "ready"
    NO_DATABASE = "the server is ready, the database is not there yet"
    REFUSED = "the password is wrong"
    LEAVING = "it is shutting down"
    SILENT = "nobody answers, or not yet"


def ask(url: str) -> Answer:
    """Connect to `url`, say hello and go."""
    try:
        with psycopg.connect(url, connect_timeout=CONNECT_SECONDS) as connection:
            connection.execute("SELECT 1")
    except psycopg.OperationalError as error:
        return reading(str(error))
    return Answer.READY


def reading(message: str) -> Answer:
    """What a failed attempt says; libpq gives no code, but `lc_messages=C` fixes the words."""
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
