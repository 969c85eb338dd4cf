"""Research of new records, created or imported, for kinds whose pack asks for it (`intake`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from whence.kernel.errors import Forbidden, NotReady
from whence.records.imports.importer import Batch
from whence.records.imports.running import Importer
from whence.records.kind import SubjectKind
from whence.records.upsert import Upserted
from whence.research.research_records import Ask
from whence.research.runs import WantedRun
from whence.tenancy.principal import Principal
from whence.work.queue import Priority


@dataclass(frozen=True)
class Intake:
    """Starts the research of new records in the transaction that adds them."""

    ask: Ask

    async def begin(
        self, session: AsyncSession, who: Principal, kind: SubjectKind, ids: Sequence[UUID]
    ) -> bool:
        """Request research of these records, if their kind asks for it; returns whether it does.

        Records that are not ready for research are left out.
        """
        run_type = kind.intake()
        if run_type is None:
            return False
        for each in ids:
            with suppress(NotReady, Forbidden):
                await self.ask(
                    session, who, kind, each, priority=Priority.LOW, wanted=WantedRun(run_type)
                )
        return True

    def importing(self, importer: Importer[Any]) -> Importer[Any]:
        """The importer, which also begins the research of the records that it adds."""
        kind = importer.kind
        if kind is None:
            return importer

        async def write(batch: Batch[Any]) -> None:
            await importer.write(batch)
            added = [
                saved.record_id
                for saved in batch.outcomes.values()
                if saved.outcome is Upserted.ADDED and saved.record_id
            ]
            await self.begin(batch.session, batch.principal, kind, added)

        return replace(importer, write=write)
