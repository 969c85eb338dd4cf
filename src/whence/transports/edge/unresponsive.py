"""Connections whose client takes nothing at all any more are closed by the kernel.

A client that merely reads slowly goes on (`event_stream.py`).  One that is gone without a word, or
has stopped reading, would otherwise keep its stream for hours: the kernel probes a full receiver
without end.
"""

from __future__ import annotations

import socket

STUCK_SECONDS = 60.0
"""How long sent bytes may wait without one of them being taken: longer than a phone's tunnel."""


def close_stuck(listening: socket.socket) -> None:
    """Give the connections that this socket accepts that limit, where the system knows it (Linux).

    RFC 5482 (TCP user timeout).  Elsewhere the system's own retransmission limits remain.
    """
    if option := getattr(socket, "TCP_USER_TIMEOUT", None):
        listening.setsockopt(socket.IPPROTO_TCP, option, int(STUCK_SECONDS * 1000))
