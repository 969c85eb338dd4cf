"""The embedded PostgreSQL: the wheel's binaries under our own supervision.

One server per home folder, shared by all processes of one user. The first that needs it
starts it, others join, the last one to leave stops it, and a small watchdog stops it when
every one of them was killed.
"""

from whence.db.embedded.errors import (
    BinariesMissing,
    DiskFull,
    ForeignData,
    HomeNotReachable,
    HomeNotWritable,
    HomeOfAnotherUser,
    ServerAccountMissing,
    ServerNotStarting,
    ServerNotStopping,
)
from whence.db.embedded.server import EmbeddedPostgres, EmbeddedServer

__all__ = [
    "BinariesMissing",
    "DiskFull",
    "EmbeddedPostgres",
    "EmbeddedServer",
    "ForeignData",
    "HomeNotReachable",
    "HomeNotWritable",
    "HomeOfAnotherUser",
    "ServerAccountMissing",
    "ServerNotStarting",
    "ServerNotStopping",
]
