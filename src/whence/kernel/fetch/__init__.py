"""Outbound HTTP: one client with timeouts, size limits, allow-lists and no private addresses."""

from whence.kernel.fetch.client import Fetched, Fetcher
from whence.kernel.fetch.errors import (
    Absent,
    AccessDenied,
    AddressRefused,
    BodyTooLarge,
    CredentialsRefused,
    FetchError,
    HostUnavailable,
    MalformedBody,
    RequestRefused,
    Throttled,
)
from whence.kernel.fetch.limits import Limits
from whence.kernel.fetch.reach import Reach

__all__ = [
    "Absent",
    "AccessDenied",
    "AddressRefused",
    "BodyTooLarge",
    "CredentialsRefused",
    "FetchError",
    "Fetched",
    "Fetcher",
    "HostUnavailable",
    "Limits",
    "MalformedBody",
    "Reach",
    "RequestRefused",
    "Throttled",
]
