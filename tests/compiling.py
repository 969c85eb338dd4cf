"""Compiling the tests once for all workers of a run.

Every worker collects every module, in the same order and at the same time.  On a new checkout each
of them would rewrite the assertions of all modules (14 s of processor time a worker); here each
does its share first and finds those of the others in the cache.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from _pytest.assertion import rewrite
from _pytest.assertion.rewrite import AssertionRewritingHook, assertstate_key


def compile_share(config: pytest.Config) -> None:
    """Write the cache of this worker's share of the chosen modules, as their import would."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    number, count = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    state = config.stash[assertstate_key]
    if sys.dont_write_bytecode or state.hook is None:
        return
    assert isinstance(state.hook, AssertionRewritingHook)
    chosen = {Path(each.partition("::")[0]) for each in config.args}
    modules = {
        path for each in chosen for path in [each, *each.rglob("test_*.py")] if path.is_file()
    }
    for path in sorted(filter(Path.is_file, modules))[number::count]:
        folder = rewrite.get_cache_dir(path)
        cached = folder / (path.name[:-3] + rewrite.PYC_TAIL)
        if rewrite.try_makedirs(folder) and rewrite._read_pyc(path, cached) is None:
            source, code = rewrite._rewrite_test(path, config)
            rewrite._write_pyc(state, code, source, cached)
