"""Requests to outside systems: the one client, and its errors."""

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

__all__ = [
    "Absent",
    "AccessDenied",
    "AddressRefused",
    "CredentialsRefused",
    "FetchError",
    "Fetched",
    "Fetcher",
    "MalformedBody",
    "Reach",
    "RequestRefused",
    "Throttled",
]
