"""Lets the kernel close connections whose client no longer accepts any data.

A client that only reads slowly continues (`event_stream.py`).  One that disappeared without
closing, or stopped reading, would keep its stream for hours: the kernel probes a full receiver for
ever.
"""

from __future__ import annotations

import socket

STUCK_SECONDS = 60.0
"""How long sent bytes may remain unacknowledged: longer than a phone is in a tunnel."""


def close_stuck(listening: socket.socket) -> None:
    """Set that limit for the connections this socket accepts, where supported (Linux).

    RFC 5482 (TCP user timeout).  Elsewhere the system's own retransmission limits apply.
    """
    if option := getattr(socket, "TCP_USER_TIMEOUT", None):
        listening.setsockopt(socket.IPPROTO_TCP, option, int(STUCK_SECONDS * 1000))
