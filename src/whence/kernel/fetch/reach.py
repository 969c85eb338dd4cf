"""Where one client may go: its allow-list of hosts, and the rules every address must pass."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from whence.kernel.errors import Misconfigured
from whence.kernel.fetch.errors import AddressRefused

HTTPS_PORT = 443
HTTP_PORT = 80
MAX_URL = 4000
"""Characters; longer addresses are an attack or a mistake (servers refuse from 8,000 down)."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Scheme, host and port: what a browser calls the same site."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: httpx.URL) -> Origin:
        """The origin of an absolute http(s) address."""
        return cls(url.scheme, url.host.lower().rstrip("."), url.port or _port(url.scheme))


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a client may go.

    `hosts` None means any public host (photographs that a user points at); otherwise only these,
    over https at its usual port. `configured` are origins that the operator wrote into the
    settings: exactly these may be plain http, at any port, and on this machine or a private
    network.
    """

    hosts: frozenset[str] | None = None
    configured: frozenset[Origin] = frozenset()

    @classmethod
    def only(cls, *base_urls: str, allow_private: bool = False) -> Reach:
        """Only the hosts of these base URLs; `allow_private` for URLs the operator configured."""
        origins = {Origin.of(_parsed(base)) for base in base_urls}
        return cls(
            hosts=frozenset(origin.host for origin in origins),
            configured=frozenset(origins) if allow_private else frozenset(),
        )

    def with_hosts(self, *base_urls: str, allow_private: bool = False) -> Reach:
        """This reach and further base URLs."""
        more = Reach.only(*base_urls, allow_private=allow_private)
        if self.hosts is None or more.hosts is None:
            return Reach(None, self.configured | more.configured)
        return Reach(self.hosts | more.hosts, self.configured | more.configured)

    def check(self, url: httpx.URL) -> Origin:
        """The origin of `url`, or `AddressRefused` with the rule it breaks."""
        if len(str(url)) > MAX_URL:
            raise AddressRefused(f"An address may have at most {MAX_URL:,} characters.")
        if url.scheme not in {"http", "https"} or not url.host:
            raise AddressRefused("Only https addresses with a host can be fetched.")
        origin = Origin.of(url)
        if url.userinfo:
            raise AddressRefused(
                f"The address at {origin.host} carries a user name or password; remove it.",
                host=origin.host,
            )
        if origin in self.configured:
            return origin
        if url.scheme != "https":
            raise AddressRefused(
                f"{origin.host} is asked for over plain http; use https.", host=origin.host
            )
        if self.hosts is not None and (origin.host not in self.hosts or origin.port != HTTPS_PORT):
            raise AddressRefused(
                f"{origin.host}:{origin.port} is not among the hosts this source may talk to.",
                host=origin.host,
            )
        return origin


def masked(url: str) -> str:
    """An address fit for a log: no user name, no password, no query."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _parsed(base_url: str) -> httpx.URL:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise Misconfigured("A base URL in the settings is not an address.") from error
    if url.scheme not in {"http", "https"} or not url.host:
        raise Misconfigured(f"The base URL {masked(base_url)} must begin with https://.")
    return url


def _port(scheme: str) -> int:
    return HTTPS_PORT if scheme == "https" else HTTP_PORT
