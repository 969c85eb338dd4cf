"""The values of a proposed change as people read them, where their JSON says little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from whence.chat.offer import Chat
from whence.chat.record_view import RecordView
from whence.kernel.text import camel


class ChangeWords(TypedDict):
    """A value before and after a change, in words."""

    before: str
    after: str


def words_of(
    changes: Sequence[Mapping[str, Any]], chat: Chat, view: RecordView
) -> dict[str, ChangeWords]:
    """By field, for those that the pack puts in words, and for names and values.

    Of names and values only those that differ are there: `Colour: black`.
    """
    in_words = {camel(each.field): each.in_words for each in chat.editable if each.in_words}
    words: dict[str, ChangeWords] = {}
    after_all = with_changes(view, {change["field"]: change["after"] for change in changes})
    for change in changes:
        field, before, after = change["field"], change["before"], change["after"]
        if (put := in_words.get(field)) is not None:
            words[field] = {
                "before": put(view, {} if before is None else before),
                "after": put(after_all, {} if after is None else after),
            }
        elif isinstance(before, Mapping) and isinstance(after, Mapping):
            words[field] = {"before": _only(before, after), "after": _only(after, before)}
    return words


def with_changes(view: RecordView, values: Mapping[str, Any]) -> RecordView:
    """The record as it would be with these values, by the field's name or its wire name."""
    fields = {
        name: values[each]
        for name in type(view.record).model_fields
        for each in (name, camel(name))
        if each in values
    }
    return replace(view, record=view.record.model_copy(update=fields))


def _only(values: Mapping[str, Any], others: Mapping[str, Any]) -> str:
    """The values that the others have not, or `(empty)`."""
    differing = [f"{name}: {value}" for name, value in values.items() if others.get(name) != value]
    return "; ".join(differing) or "(empty)"
