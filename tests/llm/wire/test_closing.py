"""A model that is closed leaves no connection and no HTTP client behind, whatever its provider."""

from __future__ import annotations

import asyncio
import importlib

import pytest

from chat.turns.conftest import desk_of
from llm.conftest import open_clients
from llm.wire.conftest import Dialect
from whence.app import build
from whence.kernel.settings import Settings
from whence.llm import Message, Models
from whence.llm.calls import arriving, ask
from whence.llm.messages import from_client, to_client
from whence.llm.models import KEY_VARIABLE, ModelClosed

pytestmark = pytest.mark.anyio

ASKED = [Message("user", "What is it worth?")]


def stream(model):
    return arriving(model, lambda client: client.astream(to_client(ASKED)), from_client)


@pytest.fixture(autouse=True)
def library(dialect: Dialect) -> None:
    """Ollama's makes a client for itself when it is imported."""
    importlib.import_module(dialect.provider)


async def test_nothing_is_left_of_a_model_that_was_asked_and_closed(wire, dialect, model_of):
    before = open_clients()
    model = model_of(dialect)
    wire.script(dialect.whole("A hundred."), dialect.stream(["A ", "hundred."]))
    await ask(model, ASKED)
    assert open_clients() - before, "the model has clients of its own while it is open"
    assert [piece.text async for piece in stream(model)]
    await model.close()
    assert not open_clients() - before
    await model.close()


async def test_two_models_of_one_provider_are_closed_by_themselves(wire, dialect, model_of):
    one, another = model_of(dialect), model_of(dialect)
    wire.script(dialect.whole("A hundred."), dialect.whole("A hundred."))
    await ask(one, ASKED)
    await another.client()
    await one.close()
    assert (await ask(another, ASKED)).text == "A hundred."
    await another.close()


async def test_a_model_is_closed_once_it_has_been_made_and_not_made_again(dialect, model_of):
    before = open_clients()
    model = model_of(dialect)
    made = asyncio.create_task(model.client())
    await asyncio.sleep(0)
    await Models(model, model).close()
    await asyncio.wait({made})
    assert not open_clients() - before
    with pytest.raises(ModelClosed):
        await model.client()


async def test_a_platform_leaves_nothing_of_the_models_that_it_asked(
    wire, dialect, key, settings: Settings, monkeypatch
):
    for variable in KEY_VARIABLE.values():
        monkeypatch.setenv(variable, key)
    before = open_clients()
    named = f"{dialect.provider}:{dialect.name}"
    values = {"model": named, "vision_model": named, "model_base_url": wire.url + dialect.base}
    wire.script(dialect.stream(["It is ", "short."]))
    async with (
        build.platform(settings.model_copy(update=values)) as platform,
        build.worker(platform),
    ):
        desk = await desk_of(platform, platform.owner)
        assert (await desk.say("How long is it?")).content.startswith("It is short.")
        assert open_clients() - before
    assert not open_clients() - before
