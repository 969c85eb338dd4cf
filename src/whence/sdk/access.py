"""Who is acting and what they may do; the organization comes from the principal only."""

from whence.tenancy.principal import Principal, Scope

__all__ = [
    "Principal",
    "Scope",
]
