"""Every breakage of `make mutants` still fits the code: the text it takes out, and its tests."""

from __future__ import annotations

import ast

import pytest

from mutants.breakage import ROOT, Breakage, breakages


@pytest.mark.parametrize("breakage", breakages(), ids=lambda one: one.name)
def test_it_fits_the_code_as_it_is(breakage: Breakage) -> None:
    breakage.check()
    source = (ROOT / breakage.file).read_text(encoding="utf-8")
    broken = breakage.broken(source)
    assert broken != source
    if breakage.file.endswith(".py"):
        ast.parse(broken)  # what cannot be read at all proves nothing
    assert breakage.tests


def test_there_are_many() -> None:
    assert len(breakages()) >= 38
