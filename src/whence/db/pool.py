"""A pool of connections whose waiters can be cancelled at whatever moment."""

from __future__ import annotations

from typing import Any, TypeVar

import psycopg
from psycopg_pool import AsyncConnectionPool

from whence.kernel.stopping import lost_cancellation

C = TypeVar("C", bound=psycopg.AsyncConnection[Any])


class Pool(AsyncConnectionPool[C]):
    """psycopg's own waits by `asyncio.wait_for`, which in Python 3.11 loses a cancellation that
    meets the connection: whoever was told to stop would go on, and not be told again.
    """

    async def getconn(self, timeout: float | None = None) -> C:
        """A connection; raises the cancellation that came meanwhile."""
        check = lost_cancellation()
        connection = await super().getconn(timeout)
        try:
            check()
        except BaseException:
            await self.putconn(connection)
            raise
        return connection
