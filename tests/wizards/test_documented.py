"""The exchange that the documentation shows is what a server answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from whence.app.platform import Platform
from wizards.serving import Form, client_of

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[2] / "docs" / "wizards.md"


def blocks() -> list[dict[str, Any]]:
    section = PAGE.read_text(encoding="utf-8").split("## An exchange\n")[1].split("\n## ")[0]
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", section, re.S)]


async def test_the_exchange_goes_as_the_page_shows(platform: Platform, serve: str) -> None:
    first, *rest = blocks()
    shown = {name: value for name, value in first.items() if name != "wizardRunId"}
    assert len(rest) == 8
    async with client_of(platform, serve) as client:
        form = Form(client)
        answer = await form.begin()
        assert answer.keys() == {*first, "outcome", "schema", "ui"}
        assert {name: answer[name] for name in shown} == shown
        for sent, wanted in zip(rest[::2], rest[1::2], strict=True):
            answer = (await form.post(**sent)).json()
            assert {name: answer[name] for name in wanted} == wanted
