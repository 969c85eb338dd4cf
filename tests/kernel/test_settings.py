"""Settings that contradict each other are refused at the start, by the name of the variable."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from whence.kernel.settings import Settings


@pytest.mark.parametrize(
    "settings", [{"heartbeat_seconds": 20}, {"heartbeat_seconds": 3, "stalled_seconds": 5}]
)
def test_a_worker_is_not_given_up_between_two_heartbeats(settings: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="at least twice WHENCE_HEARTBEAT_SECONDS") as caught:
        Settings.model_validate(settings)
    assert caught.value.errors()[0]["loc"] == ("stalled_seconds",)


def test_two_heartbeats_are_enough() -> None:
    settings = Settings.model_validate({"heartbeat_seconds": 0.5, "stalled_seconds": 1})
    assert settings.stalled_seconds == 1
