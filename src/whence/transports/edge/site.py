"""The addresses this server is reached at, and the client at the other end of a connection.

A proxy in front hides both: it connects from its own address and speaks plain HTTP to us.  Its
headers about the client are trusted only if its address is in `WHENCE_TRUSTED_PROXIES`, and only as
far back as the hops are trusted: anybody can write what is further left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from whence.kernel.errors import Misconfigured
from whence.kernel.settings import Settings

Network = IPv4Network | IPv6Network
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
UNKNOWN_ADDRESS = "unknown"
"""A client whose connection has no address; all of these share one limit."""
IPV6_PREFIX = 64
"""Bits of an IPv6 address that identify a client: providers give each customer a whole /64."""
_WILDCARDS = frozenset({"0.0.0.0", "::"})
_MAX_HOPS = 20
"""Proxies in a row that are considered; no real chain of proxies is longer."""


class BadPublicUrl(Misconfigured):
    """WHENCE_PUBLIC_URL must be an address without a path, such as https://whence.example.org."""


class BadProxy(Misconfigured):
    """WHENCE_TRUSTED_PROXIES must list addresses or networks, such as 10.0.0.5,192.168.1.0/24."""


class BadOrigin(Misconfigured):
    """WHENCE_ALLOWED_ORIGINS must list origins without a path, such as https://desk.example.org."""


@dataclass(frozen=True)
class Site:
    """How this server is reached, as configured by the operator."""

    host: str
    """The address it listens on."""
    public_origin: str | None
    proxies: tuple[Network, ...]
    allowed_origins: frozenset[str]

    @property
    def is_https(self) -> bool:
        """Whether people reach it over TLS."""
        return (self.public_origin or "").startswith("https://")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect to it."""
        return is_loopback(self.host)

    @property
    def public_netloc(self) -> str | None:
        """Name and port of the public address, as a browser sends it in `Host`."""
        return urlsplit(self.public_origin).netloc if self.public_origin else None

    def browsable(self, url: str) -> str:
        """The address in a form a browser on this machine can open: `0.0.0.0` is not a
        destination."""
        for wildcard in ("//0.0.0.0:", "//[::]:"):
            url = url.replace(wildcard, "//localhost:")
        return url

    @property
    def warnings(self) -> list[str]:
        """Problems with this configuration, each with its fix."""
        warnings: list[str] = []
        if not self.is_local and not self.is_https:
            warnings.append(
                "passwords and session cookies travel unencrypted, and the cookies are not Secure. "
                "Put a proxy with TLS in front and set WHENCE_PUBLIC_URL to its https:// address "
                "(docs/deploy.md)."
            )
        if self.public_origin and not self.proxies:
            warnings.append(
                "WHENCE_PUBLIC_URL is set and WHENCE_TRUSTED_PROXIES is not: if a proxy is in "
                "front, everybody counts as one address for limits. Set it to the proxy's address."
            )
        return warnings

    def answers_to(self, host_header: str) -> bool:
        """Whether a request may use this `Host`.

        A page of another site can point its own *name* here (DNS rebinding), so names must be ours.
        A numeric address cannot be pointed elsewhere: if the server listens on all addresses, any
        of them is accepted.
        """
        name = host_name(host_header)
        if name in LOCAL_NAMES or name == self.host.strip("[]").lower():
            return True
        if self.public_netloc and name == host_name(self.public_netloc):
            return True
        return self.host.strip("[]") in _WILDCARDS and _as_address(name) is not None

    def trusts(self, address: str) -> bool:
        """Whether a connection from `address` comes from one of the operator's proxies."""
        parsed = _as_address(address)
        return parsed is not None and any(
            parsed.version == network.version and parsed in network for network in self.proxies
        )

    def client_of(self, peer: str | None, forwarded_for: Sequence[str]) -> str:
        """The address of the client: the first hop, from our side, that is not a trusted proxy.

        `forwarded_for`: the entries of all `X-Forwarded-For` headers, in order.
        """
        client = peer or UNKNOWN_ADDRESS
        for entry in reversed(forwarded_for[-_MAX_HOPS:]):
            if not self.trusts(client):
                break
            hop = _as_address(entry.strip().strip("[]"))
            if hop is None:
                break
            client = str(hop)
        return client


def site_of(settings: Settings, host: str | None = None) -> Site:
    """The site described by the settings, listening on `host`; raises Misconfigured."""
    return Site(
        host=settings.host if host is None else host,
        public_origin=_origin(settings.public_url, BadPublicUrl) if settings.public_url else None,
        proxies=tuple(_network(text) for text in settings.trusted_proxies),
        allowed_origins=frozenset(_origin(text, BadOrigin) for text in settings.allowed_origins),
    )


def bucket_of(address: str) -> str:
    """The key under which limits count an address: itself, or the /64 of an IPv6 address."""
    parsed = _as_address(address)
    if not isinstance(parsed, IPv6Address):
        return str(parsed or address)
    return str(IPv6Network((int(parsed), IPV6_PREFIX), strict=False))


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine's own loopback address."""
    address = _as_address(host.strip("[]"))
    return host == "localhost" or (address is not None and address.is_loopback)


def host_name(header: str) -> str:
    """The name in a `Host` header without its port, in lower case; `[::1]:80` is `::1`."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()


def _as_address(text: str) -> IPv4Address | IPv6Address | None:
    """A numeric address; an IPv6 socket shows an IPv4 address as `::ffff:1.2.3.4`."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        raise BadProxy(f"WHENCE_TRUSTED_PROXIES names '{text}', no address or network.") from error


def _origin(url: str, wrong: type[Misconfigured]) -> str:
    try:
        parts = urlsplit(url.strip().lower())
        port = parts.port
    except ValueError as error:
        raise wrong from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise wrong
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise wrong
    usual = {"http": 80, "https": 443}[parts.scheme]
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in (None, usual) else "")
