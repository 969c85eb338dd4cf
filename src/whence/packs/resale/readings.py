"""What was read on photographs, kept with the item, so that no run reads a photograph again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import JSONB

from whence.sdk.research import RunContext

from .perception.reader import READER_VERSION, PhotographReader, PhotographText

_KNOWN = text("""
    SELECT DISTINCT ON (digest) digest, reading FROM resale.photo_readings
    WHERE digest = ANY(:digests) AND reader = :reader ORDER BY digest
""")
_KEEP = text("""
    INSERT INTO resale.photo_readings (item_id, digest, reader, reading)
    VALUES (:item, :digest, :reader, :reading) ON CONFLICT DO NOTHING
""").bindparams(bindparam("reading", type_=JSONB))


class PhotographReadings:
    """Reads photographs, each content once for each version of the reader."""

    def __init__(self, reader: PhotographReader, *, are_kept: bool = True) -> None:
        """`are_kept=False`: for runs in memory, which have no database."""
        self.reader = reader
        self._are_kept = are_kept

    async def of(self, run: RunContext, contents: Sequence[bytes]) -> list[PhotographText]:
        """What photographs show, in their order; new ones are read."""
        digests = [hashlib.sha256(content).hexdigest() for content in contents]
        known = await self._known(run, digests)
        new = {d: c for d, c in zip(digests, contents, strict=True) if d not in known}
        readings = {digest: await self.reader.read(content) for digest, content in new.items()}
        final = {digest: each for digest, each in (known | readings).items() if each.is_final}
        await self._keep(run, final)
        return [(known | readings)[digest] for digest in digests]

    async def _known(self, run: RunContext, digests: Sequence[str]) -> dict[str, PhotographText]:
        if not self._are_kept:
            return {}
        values = {"digests": list(digests), "reader": READER_VERSION}
        async with run.unit() as session:
            rows = await session.execute(_KNOWN, values)
            return {row.digest: PhotographText(**row.reading) for row in rows}

    async def _keep(self, run: RunContext, readings: Mapping[str, PhotographText]) -> None:
        """Store readings with the item, so that they are erased with it."""
        if run.is_shadow or not readings or not self._are_kept:
            return
        item = run.attempt.subject_id
        rows = [
            {"item": item, "digest": digest, "reader": READER_VERSION, "reading": asdict(each)}
            for digest, each in sorted(readings.items())
        ]
        async with run.fenced() as session:
            await session.execute(_KEEP, rows)
