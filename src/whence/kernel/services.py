"""The objects that a pack's code can use at run time, looked up by type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from whence.kernel.errors import Misconfigured

T = TypeVar("T")


class Services:
    """Objects that live as long as the process: HTTP clients, adapters, settings of packs."""

    def __init__(self, objects: Iterable[object] = ()) -> None:
        self._objects = {type(item): item for item in objects}

    def get(self, wanted: type[T]) -> T:
        """The one object of this type; raises Misconfigured when no pack provides it."""
        service = self._objects.get(wanted)
        if not isinstance(service, wanted):
            raise Misconfigured(f"No pack provides {wanted.__name__}; add it to `Pack.services`.")
        return service
