"""The SDK is a few modules by topic: each says what it is for, and no name stands in two."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from types import ModuleType

import whence.sdk

DEFINITIONS = {"pack"}
"""Modules that define what the others offer."""


def _topics() -> list[ModuleType]:
    names = [module.name for module in pkgutil.iter_modules(whence.sdk.__path__)]
    return [importlib.import_module(f"whence.sdk.{name}") for name in names]


def test_every_topic_says_what_it_is_for_and_the_package_lists_it() -> None:
    for module in _topics():
        name = module.__name__.rpartition(".")[2]
        assert module.__doc__, name
        if name not in DEFINITIONS:
            assert f"{name} " in (whence.sdk.__doc__ or ""), f"{name} is missing in the list"


def test_a_name_stands_in_one_module_only() -> None:
    names = Counter(
        name for module in [whence.sdk, *_topics()] for name in getattr(module, "__all__", ())
    )
    assert names
    assert [name for name, count in names.items() if count > 1] == []


def test_the_package_itself_holds_the_manifest_only() -> None:
    assert set(whence.sdk.__all__) == {
        "Check",
        "Evaluation",
        "ModelUse",
        "Pack",
        "ReportPart",
        "Sample",
        "Settings",
        "Setup",
    }
