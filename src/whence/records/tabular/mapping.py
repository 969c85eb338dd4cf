"""The fields that a person chose for the columns of a file, for every reader that uses `match`.

A pack's reader opens its file and matches its columns by itself.  The choice reaches it as a
context variable, so that no pack has to pass it on, and none can forget to (ADR 0052).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from whence.kernel.errors import Invalid


class ColumnsNotChosen(Invalid):
    """This importer reads its columns in its own way; import the file without a mapping."""


@dataclass
class _Choice:
    mapping: Mapping[str, str] = field(default_factory=dict[str, str])
    was_read: bool = False


_CHOICE: ContextVar[_Choice | None] = ContextVar("column mapping", default=None)


@contextmanager
def column_mapping(mapping: Mapping[str, str]) -> Generator[None]:
    """Read the files opened meanwhile with this mapping: header to field, `attr:NAME` or `ignore`.

    Raises ColumnsNotChosen if nothing was read by `match`.
    """
    choice = _Choice(mapping)
    token = _CHOICE.set(choice)
    try:
        yield
    finally:
        _CHOICE.reset(token)
    if mapping and not choice.was_read:
        raise ColumnsNotChosen


def chosen_mapping() -> Mapping[str, str]:
    """What was chosen for the file that is being opened."""
    choice = _CHOICE.get()
    if choice is None:
        return {}
    choice.was_read = True
    return choice.mapping
