"""Which network addresses an outgoing request may reach: pure rules over resolved addresses."""

from __future__ import annotations

import ipaddress
from enum import Enum, auto
from typing import TypeAlias

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv4 inside IPv6, RFC 6052: the last 32 bits are the address that is really reached."""

_CLOUD_METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "168.63.129.16",  # Azure: a public number that answers inside its machines only
        "100.100.100.200",  # Alibaba
        "192.0.0.192",  # Oracle
        "fd00:ec2::254",  # AWS
        "fd20:ce::254",  # Google
    )
)
"""Metadata services that hand out a machine's credentials and are not link-local."""


class Zone(Enum):
    """How far away an address is."""

    PUBLIC = auto()
    PRIVATE = auto()
    """Loopback and private networks: only for a base URL that the operator configured."""
    FORBIDDEN = auto()
    """Link-local, metadata, multicast, unspecified, reserved: never."""


def zone(text: str) -> Zone:
    """The zone of a numeric address; anything that is not an address is forbidden."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return Zone.FORBIDDEN
    return _zone(address)


def _zone(address: IpAddress) -> Zone:
    if isinstance(address, ipaddress.IPv6Address):
        inner = _carried(address)
        if inner is not None:
            return _zone(inner)
    if (
        address in _CLOUD_METADATA
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
    ):
        return Zone.FORBIDDEN
    if address.is_loopback:
        return Zone.PRIVATE
    if address.is_reserved:
        return Zone.FORBIDDEN
    return Zone.PUBLIC if address.is_global else Zone.PRIVATE


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 address leads to (mapped, 6to4, Teredo, NAT64)."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return None
