"""A way to work with runs as a client does: one transaction for each thing done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from whence.app.platform import Platform
from whence.tenancy.principal import Principal
from whence.wizards import service
from whence.wizards.catalog import Wizards
from whence.wizards.consequences import Consequences, consequences
from whence.wizards.payload import StepPayload

WRITE = "sample_pack.write"


@dataclass(frozen=True)
class Desk:
    """Somebody filling in forms."""

    platform: Platform
    who: Principal
    wizards: Wizards

    async def start(self, wizard: str = WRITE, **options: Any) -> StepPayload:
        async with self.platform.unit(self.who) as session:
            return await service.start(session, self.who, self.wizards, wizard, **options)

    async def respond(
        self, run: UUID, step: str, revision: int | None = None, /, **responses: Any
    ) -> StepPayload:
        async with self.platform.unit(self.who) as session:
            return await service.respond(
                session, self.who, self.wizards, run, step, responses, revision
            )

    async def consequences(self, run: UUID, step: str, **responses: Any) -> Consequences:
        async with self.platform.unit(self.who) as session:
            return await consequences(session, self.who, self.wizards, run, step, responses)

    async def look(self, run: UUID, step: str | None = None) -> StepPayload:
        async with self.platform.unit(self.who) as session:
            return await service.show(session, self.who, self.wizards, run, step)

    async def back(self, run: UUID, step: str | None = None) -> StepPayload:
        async with self.platform.unit(self.who) as session:
            return await service.back(session, self.who, self.wizards, run, step)

    async def cancel(self, run: UUID) -> StepPayload:
        async with self.platform.unit(self.who) as session:
            return await service.cancel(session, self.who, self.wizards, run)

    async def reviewed(self, **options: Any) -> StepPayload:
        """A short note, answered up to its review."""
        run = (await self.start(**options)).wizard_run_id
        await self.respond(run, "about", title="Tea", length="short")
        return await self.respond(run, "words", text="It is ready.")


@pytest.fixture
def desk(platform: Platform) -> Desk:
    """The owner, with the wizards of the sample pack."""
    return Desk(platform, platform.owner, platform.wizards)
