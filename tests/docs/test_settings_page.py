"""The settings page holds what the program reads, no more and no less."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from whence.kernel.settings import Settings
from whence.packs.resale.settings import ResaleSettings

SETTINGS: tuple[type[BaseSettings], ...] = (Settings, ResaleSettings)
FIELDS = {
    f"{model.model_config.get('env_prefix')}{name}".upper(): field
    for model in SETTINGS
    for name, field in model.model_fields.items()
}
Documented = dict[str, tuple[str, str, str]]


@pytest.fixture(scope="module")
def documented(page: Callable[[str], Any], table_rows: Callable[[str], Any]) -> Documented:
    """Type, default and meaning of every variable that the page has a row for."""
    rows = table_rows(page("docs/reference/settings.md").text)
    named = [(row[0].strip("`"), row[1:]) for row in rows if row[0].startswith("`WHENCE_")]
    assert len({name for name, _ in named}) == len(named), "a variable has two rows"
    return {name: (cells[0], cells[1], cells[2]) for name, cells in named}


def test_every_setting_is_documented_and_none_that_is_gone(documented: Documented) -> None:
    assert set(documented) == set(FIELDS)


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_its_default_is_the_one_in_the_code(name: str, documented: Documented) -> None:
    assert documented[name][1] == default_of(FIELDS[name])


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_its_type_is_the_one_in_the_code(name: str, documented: Documented) -> None:
    assert documented[name][0].startswith(type_of(FIELDS[name]))


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_its_meaning_is_told(name: str, documented: Documented) -> None:
    assert documented[name][2].endswith(".")


def test_words_of_a_choice_are_named(documented: Documented) -> None:
    for name, field in FIELDS.items():
        if get_origin(field.annotation) is Literal:
            assert all(f"`{word}`" in documented[name][0] for word in get_args(field.annotation))


def test_the_default_home_is_told_in_words(page: Callable[[str], Any]) -> None:
    text = page("docs/reference/settings.md").text

    assert "`$XDG_DATA_HOME/whence`" in text
    assert "`~/.local/share/whence`" in text
    assert "`/var/lib/whence`" in text


def default_of(field: FieldInfo) -> str:
    if field.default_factory is list or field.default is None:
        return "none"
    if field.default_factory is not None:
        return "see below"
    if isinstance(field.default, bool):
        return f"`{str(field.default).lower()}`"
    return f"`{field.default}`"


def type_of(field: FieldInfo) -> str:
    annotation = field.annotation
    if get_origin(annotation) is Literal:
        return "one of"
    inner = [part for part in get_args(annotation) or (annotation,) if part is not type(None)]
    if get_origin(annotation) is list:
        return "paths" if Path in get_args(annotation) else "texts"
    words = {
        Path: "path",
        SecretStr: "secret",
        str: "text",
        bool: "true or false",
        int: "whole number",
        float: "number",
    }
    return next(words[part] for part in inner if part in words)
