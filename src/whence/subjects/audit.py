"""The audit log, as records write it; it lies in tenancy, where accounts write it too."""

from __future__ import annotations

from whence.tenancy.audit import audit

__all__ = ["audit"]
