"""A newcomer's first steps, and the samples that packs ship."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from fastapi import APIRouter

from whence.kernel.wire import Wire
from whence.tenancy.principal import Principal
from whence.transports.edge.access import Reader, Writer
from whence.transports.edge.identity import CurrentPlatform

router = APIRouter(prefix="/api", tags=["start"])


class FirstStepAnswer(Wire):
    """A step, and the record to do it with."""

    name: Literal["records", "research", "ask"]
    is_done: bool
    kind: str | None
    record_id: UUID | None


class SampleAnswer(Wire):
    """The samples of a pack."""

    pack: str
    title: str
    is_loaded: bool


class StartAnswer(Wire):
    """The first steps, and what packs offer as samples."""

    steps: list[FirstStepAnswer]
    samples: list[SampleAnswer]


@router.get("/start")
async def get_start(platform: CurrentPlatform, who: Reader) -> StartAnswer:
    """The first steps of a new organization, as far as the packs offer them, and the samples."""
    return await _start(platform, who)


@router.post("/samples")
async def load_samples(platform: CurrentPlatform, who: Writer) -> StartAnswer:
    """Load the samples of every pack that has some.  Calling it again changes nothing.

    Each sample file is an import of its own, with `isSample`.
    """
    await platform.samples.load(who)
    return await _start(platform, who)


@router.delete("/samples")
async def remove_samples(platform: CurrentPlatform, who: Writer) -> StartAnswer:
    """Remove the loaded samples: undo their imports, and delete those of their records that were
    changed or researched since.
    """
    await platform.samples.remove(who)
    return await _start(platform, who)


async def _start(platform: CurrentPlatform, who: Principal) -> StartAnswer:
    async with platform.unit(who) as session:
        return StartAnswer.model_validate(await platform.samples.start(session, who))
