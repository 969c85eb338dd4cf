"""The audit log, as records write it; it lies in tenancy, where accounts write it too."""

from __future__ import annotations

from whence.tenancy.audit import BY, BY_AGENT, audit, audit_each

__all__ = ["BY", "BY_AGENT", "audit", "audit_each"]
