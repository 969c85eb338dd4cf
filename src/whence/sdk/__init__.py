"""The only whence names that a pack may import."""

from whence.kernel.clock import now
from whence.kernel.errors import (
    BudgetExceeded,
    Conflict,
    Invalid,
    Misconfigured,
    NotFound,
    NotReady,
    Unavailable,
    WhenceError,
)
from whence.kernel.fetch import (
    Absent,
    AccessDenied,
    AddressRefused,
    CredentialsRefused,
    Fetched,
    Fetcher,
    FetchError,
    MalformedBody,
    Reach,
    RequestRefused,
    Throttled,
)
from whence.kernel.ids import new_id
from whence.kernel.text import camel, clean, digest
from whence.kernel.wire import Wire

__all__ = [
    "Absent",
    "AccessDenied",
    "AddressRefused",
    "BudgetExceeded",
    "Conflict",
    "CredentialsRefused",
    "FetchError",
    "Fetched",
    "Fetcher",
    "Invalid",
    "MalformedBody",
    "Misconfigured",
    "NotFound",
    "NotReady",
    "Reach",
    "RequestRefused",
    "Throttled",
    "Unavailable",
    "WhenceError",
    "Wire",
    "camel",
    "clean",
    "digest",
    "new_id",
    "now",
]
