"""Checks a pack's sample: imports and evaluations must give the results in `expect.yml`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import yaml

from whence.app.check.causes import cause
from whence.sdk.pack import Pack
from whence.sdk.testing import Installation

EXPECT = "expect.yml"


def expected(folder: Path) -> Mapping[str, Any] | str:
    """The content of a sample's `expect.yml`, or its faults."""
    path = folder / EXPECT
    if not path.is_file():
        return f"{path} is missing; write how many rows each import takes and refuses"
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        return f"{path} is not YAML: {error}"
    if not isinstance(values, dict):
        return f"{path} must map names of imports to their counts"
    return cast("Mapping[str, Any]", values)


async def sample_faults(pack: Pack, installed: Installation) -> AsyncGenerator[str]:
    """Imports whose counts differ from `<importer>: {rows: N, refused: N}`."""
    if pack.sample is None:
        return
    promised = expected(pack.sample.folder)
    if isinstance(promised, str):
        yield promised
        return
    for name, file in pack.sample.imports:
        counts = promised.get(name)
        if not isinstance(counts, dict):
            entry = f"{name}: {{rows: N, refused: N}}"
            yield f"{EXPECT} says nothing of the import '{name}'; add `{entry}`"
            continue
        try:
            report = await installed.run_import(name, pack.sample.folder / file)
        except Exception as error:  # noqa: BLE001 (the pack's own code)
            yield f"the import of {file} by '{name}' fails: {cause(error, pack.folder)}"
            continue
        actual = {"rows": report.added + report.updated, "refused": len(report.refused)}
        for key, count in actual.items():
            if counts.get(key, count) != count:
                yield f"{EXPECT} says {name}.{key} is {counts[key]}, but it is {count}; correct one"


def evaluation_faults(pack: Pack) -> Iterator[str]:
    """Evaluations that fail on their own sample, or differ from `evals:` in expect.yml."""
    promised: Any = expected(pack.sample.folder) if pack.sample else {}
    figures = promised.get("evals", {}) if isinstance(promised, dict) else {}
    for item in pack.evals:
        if item.sample is None:
            continue
        try:
            measured = item.run(item.sample)
        except Exception as error:  # noqa: BLE001 (the pack's own code)
            words = cause(error, pack.folder)
            yield f"the evaluation '{item.name}' fails on {item.sample}: {words}"
            continue
        for key, value in (figures.get(item.name) or {}).items():
            if measured.get(key) != value:
                yield (
                    f"the evaluation '{item.name}' gives {key} = {measured.get(key)}, and {EXPECT} "
                    f"says {value}; correct one"
                )


async def evaluations(pack: Pack) -> list[str]:
    """Like `evaluation_faults`, in a thread, as an evaluation may run its own event loop."""
    return await asyncio.to_thread(lambda: list(evaluation_faults(pack)))
