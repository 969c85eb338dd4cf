"""The one outbound HTTP client: every request that whence sends to the world goes through it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Self

import httpx
from pydantic import JsonValue

from whence.kernel import log
from whence.kernel.fetch.body import parse_json, read_bounded
from whence.kernel.fetch.errors import FetchError, HostUnavailable, RequestRefused
from whence.kernel.fetch.limits import Limits
from whence.kernel.fetch.pinned import PinnedTransport, Resolver, system_resolver
from whence.kernel.fetch.reach import Reach, masked
from whence.kernel.fetch.refusal import refusal
from whence.kernel.retry import retry

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PUBLIC_HEADERS = frozenset({"accept", "accept-encoding", "accept-language", "user-agent"})
"""Headers that are sent on after a redirect to another host; any other may be a secret."""

_log = log.get("fetch")
_authorities = cache(httpx.create_ssl_context)
"""The machine's certificates, read once for a process: that takes 25 ms and more."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A successful answer."""

    url: str
    """The final address, after redirects."""
    status: int
    content_type: str
    """As the host states it, in lower case, without parameters; not to be trusted."""
    body: bytes


class Fetcher:
    """Fetches within a `Reach` and `Limits`; retries temporary failures, and names the others.

    Raises `AddressRefused`, `HostUnavailable` and `Throttled` (both `Unavailable`, with
    `retry_after`), `CredentialsRefused` and `AccessDenied` (`Misconfigured`), `Absent`
    (`NotFound`), `RequestRefused`, `BodyTooLarge` and `MalformedBody` (`Invalid`).

    Without a `reach` it goes to any public https host. Proxies from the environment are not used:
    a proxy would resolve names where their addresses cannot be checked.
    """

    def __init__(
        self,
        reach: Reach | None = None,
        *,
        limits: Limits | None = None,
        resolve: Resolver = system_resolver,
        user_agent: str = "whence",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.reach = reach or Reach()
        self.limits = limits or Limits()
        self._resolve = resolve
        self._user_agent = user_agent
        self._tls = tls or _authorities()
        self._narrowed: list[Fetcher] = []
        self._client = httpx.AsyncClient(
            transport=PinnedTransport(
                resolve,
                frozenset((origin.host, origin.port) for origin in self.reach.configured),
                tls=self._tls,
                connections=self.limits.connections,
            ),
            timeout=httpx.Timeout(self.limits.read, connect=self.limits.connect),
            trust_env=False,
        )

    def within(self, reach: Reach, *, user_agent: str | None = None) -> Fetcher:
        """A fetcher for one source: same limits, its own reach; closed with this one.

        It has its own connections, so that what was allowed for one reach is never reused by
        another.
        """
        narrowed = Fetcher(
            reach,
            limits=self.limits,
            resolve=self._resolve,
            user_agent=user_agent or self._user_agent,
            tls=self._tls,
        )
        self._narrowed.append(narrowed)
        return narrowed

    async def get_json(
        self,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> JsonValue:
        """GET, read as JSON (`parse_json` says what becomes of impossible numbers)."""
        request = self._request("GET", url, params=params, headers=headers)
        answer = await self._send(request, self.limits.size)
        return parse_json(answer.body, request.url.host)

    async def get_bytes(
        self, url: str, *, headers: Mapping[str, str] | None = None, limit: int | None = None
    ) -> Fetched:
        """GET, as it comes, at most `limit` bytes (default: the limits' size)."""
        request = self._request("GET", url, headers=headers, accept="*/*")
        return await self._send(request, limit or self.limits.size)

    async def post_form(
        self, url: str, form: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> JsonValue:
        """POST a form, read JSON. Repeated like a GET: only for calls that change nothing."""
        request = self._request("POST", url, headers=headers, form=form)
        answer = await self._send(request, self.limits.size)
        return parse_json(answer.body, request.url.host)

    async def post_json(
        self, url: str, value: JsonValue, *, headers: Mapping[str, str] | None = None
    ) -> JsonValue:
        """POST JSON, read JSON. Repeated like a GET: only for calls that change nothing."""
        request = self._request("POST", url, headers=headers, value=value)
        answer = await self._send(request, self.limits.size)
        return parse_json(answer.body, request.url.host)

    async def aclose(self) -> None:
        """Close every connection, also of the fetchers made by `within`."""
        for narrowed in self._narrowed:
            await narrowed.aclose()
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        value: JsonValue = None,
        accept: str = "application/json",
    ) -> httpx.Request:
        try:
            return self._client.build_request(
                method,
                url,
                params=params,
                headers={
                    "Accept": accept,
                    "Accept-Encoding": "gzip",
                    "User-Agent": self._user_agent,
                    **(headers or {}),
                },
                data=form,
                json=value,
            )
        except (httpx.InvalidURL, ValueError) as error:
            raise RequestRefused("This is not an address that can be fetched.") from error

    async def _send(self, request: httpx.Request, size: int) -> Fetched:
        """Try, wait and try again, as the limits' policy says."""

        async def once() -> Fetched:
            try:
                async with asyncio.timeout(self.limits.total):
                    return await self._follow(request, size)
            except TimeoutError as error:
                raise HostUnavailable(
                    f"{request.url.host} did not finish its response within "
                    f"{self.limits.total:g} s; it is tried again later.",
                    host=request.url.host,
                ) from error

        try:
            return await retry(once, of="fetch", policy=self.limits.retry)
        except FetchError as error:
            _log.debug("fetch failed", url=masked(str(request.url)), status=error.status)
            raise

    async def _follow(self, request: httpx.Request, size: int) -> Fetched:
        """One try, with at most `limits.redirects` redirects; each target is checked."""
        for _ in range(self.limits.redirects + 1):
            origin = self.reach.check(request.url)
            answer = await self._exchange(request, size)
            if isinstance(answer, Fetched):
                return answer
            host = origin.host
            if request.method != "GET":
                raise RequestRefused(
                    f"{host} redirects a request that carries data; check its base URL in the "
                    "settings.",
                    host=host,
                    status=answer.status_code,
                )
            request = self._redirected(request, answer)
        raise HostUnavailable(
            f"{request.url.host} redirects in a circle; it is tried again later.",
            host=request.url.host,
        )

    def _redirected(self, request: httpx.Request, answer: httpx.Response) -> httpx.Request:
        try:
            target = request.url.join(answer.headers.get("location", ""))
        except httpx.InvalidURL as error:
            raise RequestRefused(
                f"{request.url.host} redirects to something that is not an address.",
                host=request.url.host,
                status=answer.status_code,
            ) from error
        same = self.reach.check(target) == self.reach.check(request.url)
        headers = {
            name: text
            for name, text in request.headers.items()
            if name != "host" and (same or name in _PUBLIC_HEADERS)
        }
        return self._client.build_request("GET", target, headers=headers)

    async def _exchange(self, request: httpx.Request, size: int) -> Fetched | httpx.Response:
        """One request and its answer; a redirect comes back as it is."""
        host = request.url.host
        try:
            answer = await self._client.send(request, stream=True, follow_redirects=False)
            try:
                if answer.status_code in _REDIRECTS:
                    return answer
                body = await read_bounded(
                    answer.aiter_raw(),
                    encoding=answer.headers.get("content-encoding", ""),
                    limit=size,
                    host=host,
                )
            finally:
                await answer.aclose()
        except httpx.TransportError as error:
            slow = isinstance(error, httpx.TimeoutException)
            what = "did not answer in time" if slow else "could not be reached"
            raise HostUnavailable(f"{host} {what}; it is tried again later.", host=host) from error
        if answer.is_success:
            kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
            return Fetched(str(request.url), answer.status_code, kind, body)
        raise refusal(request, answer, body)
