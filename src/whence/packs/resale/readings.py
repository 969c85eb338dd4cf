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

    def __init__(self, reader: PhotographReader) -> None:
        self.reader = reader

    async def of(self, run: RunContext, contents: Sequence[bytes]) -> list[PhotographText]:
        """What photographs show, in their order; new ones are read."""
        digests = [hashlib.sha256(content).hexdigest() for content in contents]
        known = dict(await self.known(run, digests))
        new = {d: c for d, c in zip(digests, contents, strict=True) if d not in known}
        readings = {digest: await self.reader.read(content) for digest, content in new.items()}
        final = {digest: each for digest, each in (known | readings).items() if each.is_final}
        await self.keep(run, final)
        return [(known | readings)[digest] for digest in digests]

    async def known(self, run: RunContext, digests: Sequence[str]) -> Mapping[str, PhotographText]:
        """Stored readings by the digest of the content."""
        values = {"digests": list(digests), "reader": READER_VERSION}
        async with run.unit() as session:
            rows = await session.execute(_KNOWN, values)
            return {row.digest: PhotographText(**row.reading) for row in rows}

    async def keep(self, run: RunContext, readings: Mapping[str, PhotographText]) -> None:
        """Store readings with the item, so that they are erased with it."""
        if run.is_shadow or not readings:
            return
        item = run.attempt.subject_id
        rows = [
            {"item": item, "digest": digest, "reader": READER_VERSION, "reading": asdict(each)}
            for digest, each in sorted(readings.items())
        ]
        async with run.fenced() as session:
            await session.execute(_KEEP, rows)
