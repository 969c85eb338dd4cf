"""A dossier in a terminal: whole at every width, and steered by nobody's title."""

from __future__ import annotations

import io
from typing import Any

import pytest

from whence.cli.session import SafeConsole
from whence.packs.resale.show import show

pytestmark = pytest.mark.anyio

NASTY = "[red]x[/red] [/] \x1b[31mESC\x07 \u202eback\\"


@pytest.fixture
async def parts(desk: Any) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    await desk.sample()
    research = await desk.research("BP-230")
    return research.dossier, research.evidence, await desk.shown("BP-230")


def drawn(parts: Any, width: int) -> str:
    out = io.StringIO()
    console = SafeConsole(file=out, width=width, force_terminal=True, color_system=None)
    console.print(show(*parts))
    return out.getvalue()


async def test_it_fits_and_every_part_is_there(parts: Any) -> None:
    for width in (60, 80, 140):
        words = drawn(parts, width)
        assert max(map(len, words.splitlines())) <= width
        for title in (
            "What it is",
            "Price",
            "Evidence",
            "Demand",
            "missing",
            "Where to sell",
            "How",
        ):
            assert title in words


async def test_a_title_is_shown_as_it_is_and_steers_nothing(parts: Any) -> None:
    dossier, evidence, subject = parts
    body = dossier["body"]
    body["identification"] |= {"title": NASTY, "brand": NASTY, "reason": NASTY}
    body["queries"], body["fallbacks"], body["notDone"] = [NASTY], [NASTY], [NASTY]
    evidence[0]["title"] = evidence[0]["reason"] = NASTY
    words = drawn((dossier, evidence, subject), 140)
    assert "[red]x[/red]" in words
    assert not {"\x1b", "\x07", "\u202e"} & set(words)


async def test_a_claim_that_its_evidence_does_not_carry_is_shown_as_such(parts: Any) -> None:
    dossier, evidence, subject = parts
    assert "do not rely on this" not in drawn(parts, 140)
    claim = {**dossier["claims"][0], "verdict": "unsupported", "note": "a quote is not there"}
    words = drawn(({**dossier, "claims": [claim]}, evidence, subject), 140)
    assert "do not rely on this" in words
    assert "a quote is not there" in words
