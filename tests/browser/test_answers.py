"""One streamed answer of a model: through a restart, told calmly, with its tools and its prompt."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from browser.restarts import Program
from browser.test_chat import note, open_dock, send
from browser.test_keyboard import COUNT_ANNOUNCEMENTS, MOST_OF_AN_ANSWER
from chat.slow_model import SlowModel, slow_model
from whence.kernel.settings import Settings

__all__ = ["note"]
pytestmark = pytest.mark.anyio
QUESTION = "Describe it in your own words, please, as a poem about the sea"
PIECES = 60
"""Of a streamed answer: far more than a screen reader may be told."""


@pytest.fixture
async def model() -> AsyncIterator[SlowModel]:
    async with slow_model() as slow:
        yield slow


@pytest.fixture
def settings(settings: Settings, model: SlowModel) -> Settings:
    return model.for_answers(settings)


@pytest.fixture
async def program(settings: Settings) -> AsyncIterator[Program]:
    program = Program(settings)
    await program.start()
    yield program
    await program.stop()


@pytest.fixture
def serve(program: Program) -> str:
    assert program.server
    return program.server.url


async def test_an_answer_is_cut_by_a_restart_given_again_in_calm_and_shows_what_it_saw(
    page: Page, model: SlowModel, program: Program, note: Any
) -> None:
    chat = await open_dock(page, f"/records/notes/{note}")
    await send(chat, QUESTION)
    model.say("It is a lamp ", "of brass. ", "It stands")
    answer = chat.get_by_role("article", name="Answer")
    await expect(answer).to_contain_text("It is a lamp of brass.")
    await program.stop()
    await expect(page.get_by_text("The server does not answer.")).to_be_visible()
    await program.start()
    await expect(answer.get_by_text("Interrupted", exact=True)).to_be_visible()
    await expect(answer).to_contain_text("It is a lamp of brass.")  # nothing of it is lost
    await expect(page.get_by_text("The server does not answer.")).to_have_count(0)

    while not model.pieces.empty():  # what the first process was still to get
        model.pieces.get_nowait()
    await page.evaluate(COUNT_ANNOUNCEMENTS)
    await answer.get_by_role("button", name="Try again").first.click()
    model.call("count_words", text="of four words")
    for number in range(PIECES):
        model.say(f"wave {number} ")
    model.end()
    again = chat.get_by_role("article", name="Answer").last
    await expect(again.get_by_role("button", name="What the agent saw")).to_be_visible()
    await expect(again).to_contain_text(f"wave {PIECES - 1}")
    told: list[str] = await page.evaluate("announcements.splice(0)")
    assert 1 <= len(told) <= MOST_OF_AN_ANSWER, told

    call = again.get_by_role("list", name="Tools used").get_by_role("listitem")
    await expect(call).to_have_text(re.compile(r"Count words · .*\d+(\.\d+)? (ms|s)"))

    await again.get_by_role("button", name="What the agent saw").click()
    sheet = page.get_by_role("complementary", name="Details")
    await expect(sheet.get_by_role("heading", name="What the model was sent")).to_be_visible()
    for words in ("title: A brass lamp", QUESTION, "count_words: "):
        await expect(sheet.locator("pre").filter(has_text=words).first).to_be_visible()
