"""The embedded PostgreSQL: binaries from a wheel, supervised by whence.

One server per home folder, shared by all processes of one user. The first process starts it, others
join, and the last one stops it.  If all of them are killed, a small watchdog stops it.
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
