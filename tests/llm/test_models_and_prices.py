"""Which model is used, what it costs, and how long we wait for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings
from whence.llm import Spend, estimate_tokens, load_prices, models_from
from whence.llm.schemas import output_schema

MILLION = 1_000_000


def test_no_setting_no_model():
    models = models_from(Settings(model=None, vision_model=None))
    assert (models.text, models.vision) == (None, None)


@pytest.mark.parametrize(
    ("model", "variable"),
    [("openai:gpt-4.1", "OPENAI_API_KEY"), ("anthropic:claude-x", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named(monkeypatch, model, variable):
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(Misconfigured, match=variable):
        models_from(Settings(model=model))


@pytest.mark.parametrize("model", ["gpt-4.1", "mistral:large", "openai:", ":x"])
def test_an_unknown_provider_gets_the_list(model):
    with pytest.raises(Misconfigured, match="openai:NAME, anthropic:NAME, ollama:NAME"):
        models_from(Settings(model=model))


def test_a_model_name_may_hold_colons():
    models = models_from(Settings(model="ollama:llama3.2:3b"))
    assert models.text is not None
    assert models.text.label == "ollama:llama3.2:3b"


def test_the_base_url_is_for_the_provider_of_the_text_model(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    settings = Settings(
        model="ollama:a", vision_model="openai:gpt-4o", model_base_url="http://127.0.0.1:1"
    )
    models = models_from(settings)
    assert models.text is not None
    assert models.vision is not None
    assert models.text.choice.base_url == "http://127.0.0.1:1"
    assert models.vision.choice.base_url is None
    same = models_from(settings.model_copy(update={"vision_model": "ollama:b"}))
    assert same.vision is not None
    assert same.vision.choice.base_url == "http://127.0.0.1:1"


def test_the_key_does_not_show(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden-hidden")
    models = models_from(Settings(model="openai:gpt-4o"))
    assert models.text is not None
    assert "hidden" not in repr(models) + repr(models.text.choice)


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("openai:gpt-4o", Decimal("12.50")),
        ("openai:gpt-4o-2024-08-06", Decimal("12.50")),
        ("anthropic:claude-sonnet-4-5-20250929", Decimal(18)),
        ("ollama:anything", Decimal(0)),
        ("openai:gpt-4o-audio", None),
        ("anthropic:claude-99", None),
    ],
)
def test_a_price_is_known_or_unknown_and_never_guessed(model, usd):
    assert load_prices().cost(model, MILLION, MILLION) == usd


def test_the_operators_table_replaces_single_prices(tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text('as_of = 2026-01-01\n[usd_per_million]\n"openai:gpt-4o" = [1, 2.5]\n')
    prices = load_prices(own)
    assert prices.cost("openai:gpt-4o", MILLION, MILLION) == Decimal("3.5")
    assert prices.cost("openai:gpt-4o-mini", MILLION, 0) == Decimal("0.15")
    assert prices.as_of.year == 2026


@pytest.mark.parametrize(
    "text", ["as_of = ", "as_of = 2026-01-01", '[usd_per_million]\n"a" = [-1]']
)
def test_a_table_that_is_none_is_refused_with_its_path(tmp_path, text):
    own = tmp_path / "prices.toml"
    own.write_text(text)
    with pytest.raises(Misconfigured, match=r"prices\.toml is not a price table") as refused:
        load_prices(own)
    assert "\n" not in refused.value.message
    assert refused.value.message.endswith(
        "Correct the file, or remove it to use whence's own prices."
    )


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("as_of = 2026-01-01\n[usd_per_million\n", "line 2"),
        (
            "as_of = 2026-01-01\nusd = 1\n[usd_per_million]\n",
            "usd: there is no such field; there are",
        ),
    ],
)
def test_a_broken_table_is_refused_with_the_place(tmp_path, text, place):
    own = tmp_path / "prices.toml"
    own.write_text(text)
    with pytest.raises(Misconfigured, match=place):
        load_prices(own)


_AMOUNT = st.builds(
    Spend, st.integers(0, 99), st.integers(0, 99), st.decimals(0, 9, places=4), st.just(1.0)
)


@given(_AMOUNT, _AMOUNT)
def test_what_is_added_can_be_taken_back(left, right):
    assert left + right - right == left


def test_tokens_are_estimated_above_the_usual_count():
    assert estimate_tokens("The quick brown fox jumps over the lazy dog.") >= 10
    assert estimate_tokens("日本語のカメラ") == 7
    assert estimate_tokens("", images=2) == 3200


class Part(BaseModel):
    kind: Literal["lens"]
    price: Decimal | None = Field(default=None, ge=0)


class Whole(BaseModel):
    parts: list[Part] = Field(default_factory=list, max_length=3)
    gtin: str = Field(default="", pattern=r"^\d{14}$", description="GTIN-14")


class Free(BaseModel):
    attributes: dict[str, str]


def test_a_schema_is_cut_down_to_what_every_provider_takes():
    schema = output_schema(Whole)
    assert schema.strict
    assert schema.schema["required"] == ["parts", "gtin"]
    properties = schema.schema["properties"]
    assert properties["gtin"] == {
        "type": "string",
        "description": r"GTIN-14 (pattern ^\d{14}$)",
    }
    assert properties["parts"]["items"] == {"$ref": "#/$defs/Part"}
    part = schema.schema["$defs"]["Part"]
    assert part["properties"]["kind"] == {"type": "string", "enum": ["lens"]}
    assert part["additionalProperties"] is False


def test_a_free_mapping_is_not_strict():
    assert not output_schema(Free).strict
