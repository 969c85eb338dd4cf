"""The models: what each does, the limits in force, and a test call; only for owners."""

from __future__ import annotations

from fastapi import APIRouter

from whence.app import model_settings
from whence.app.model_settings import ModelRole, ModelSettings, ModelTestView
from whence.transports.edge.access import Owner
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api/models", tags=["models"])


@router.get("")
async def list_models(platform: CurrentPlatform, who: Owner) -> ModelSettings:
    """The models, what happens without them, and the limits on calling them."""
    return await model_settings.model_settings(platform, who)


@router.post("/{role}/test")
async def test_model(platform: CurrentPlatform, who: Owner, role: ModelRole) -> ModelTestView:
    """Ask the model one small question; it costs a few tokens, and 20 tests an hour are allowed."""
    return await model_settings.call_model(platform, who, role)
