"""Where the outbound client goes and where it does not, also after redirects and new DNS."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Sequence

import httpx
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from whence.kernel.errors import Misconfigured
from whence.kernel.fetch import AddressRefused, Fetcher, HostUnavailable, Reach, RequestRefused
from whence.kernel.fetch.addresses import Zone, zone
from whence.kernel.fetch.reach import masked

pytestmark = pytest.mark.anyio


class Names:
    """A resolver whose answers change, one list of addresses a question; the last one stays."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.questions: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.questions.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def redirect(target: str, code: int = 302):
    return lambda: web.Response(status=code, headers={"Location": target})


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "168.63.129.16",
        "100.64.0.1",
        "100.100.100.200",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "fd00:ec2::254",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
        "not an address",
    ],
)
def test_no_inner_address_counts_as_public(address):
    assert zone(address) is not Zone.PUBLIC


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_the_internet_is_public(address):
    assert zone(address) is Zone.PUBLIC


@given(st.ip_addresses(v=4))
def test_wrapping_an_ipv4_address_in_ipv6_changes_nothing(address: ipaddress.IPv4Address):
    wrapped = ipaddress.IPv6Address(int(address) | 0xFFFF << 32)
    assert zone(str(wrapped)) is zone(str(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://shop.example/x",
        "ftp://shop.example/x",
        "file:///etc/passwd",
        "https://user:pw@shop.example/",
        "https:///x",
        "https://shop.example/" + "x" * 5000,
    ],
)
def test_only_plain_https_addresses_are_fetched(url):
    with pytest.raises(AddressRefused):
        Reach().check(httpx.URL(url))


@pytest.mark.parametrize(
    "url", ["https://evil.example/", "https://shop.example.evil/", "https://shop.example:8443/"]
)
def test_a_source_talks_to_its_own_hosts_only(url):
    with pytest.raises(AddressRefused, match="not among the hosts"):
        Reach.only("https://shop.example").check(httpx.URL(url))


def test_a_base_url_that_is_no_address_is_a_wrong_setting():
    with pytest.raises(Misconfigured):
        Reach.only("shop.example/api")


def test_a_masked_address_has_no_query_and_no_password():
    assert masked("https://u:p@shop.example:1/a?key=x#y") == "https://shop.example:1/a"


@pytest.mark.parametrize(
    "url",
    ["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://localhost/"],
)
async def test_this_machine_is_refused_however_it_is_spelled(url, quick, tls):
    async with Fetcher(limits=quick, tls=tls) as fetcher:
        with pytest.raises(AddressRefused, match="public addresses only"):
            await fetcher.get_bytes(url)


async def test_a_redirect_to_another_port_of_this_machine_is_refused(outside, fetcher):
    outside.answers(redirect("http://127.0.0.1:22/"))
    with pytest.raises(AddressRefused):
        await fetcher.get_bytes(f"{outside.base}/x")
    assert len(outside.requests) == 1


async def test_a_configured_host_may_be_private_at_its_configured_port_only(quick, tls):
    reach = Reach.only("https://models.internal.example:8443", allow_private=True)
    async with Fetcher(reach, limits=quick, tls=tls, resolve=Names(["10.0.0.7"])) as fetcher:
        with pytest.raises(AddressRefused, match="public addresses only"):
            await fetcher.get_bytes("https://models.internal.example/")


@pytest.mark.parametrize("inner", ["10.0.0.7", "169.254.169.254"])
async def test_a_redirect_to_a_name_inside_is_refused(outside, quick, tls, inner):
    names = Names(["127.0.0.1"], [inner])
    reach = Reach(None, Reach.only(outside.base, allow_private=True).configured)
    outside.answers(redirect("https://innocent.example/latest/meta-data"))
    async with Fetcher(reach, limits=quick, tls=tls, resolve=names) as fetcher:
        with pytest.raises(AddressRefused, match=r"innocent\.example"):
            await fetcher.get_bytes(f"{outside.base}/x")
    assert names.questions == ["127.0.0.1", "innocent.example"]


async def test_one_private_address_among_public_ones_refuses_the_name(quick, tls):
    async with Fetcher(limits=quick, tls=tls, resolve=Names(["8.8.8.8", "127.0.0.1"])) as fetcher:
        with pytest.raises(AddressRefused):
            await fetcher.get_bytes("https://rebind.example/")


async def test_the_socket_goes_to_the_address_that_was_checked(outside, quick, tls):
    names = Names(["127.0.0.1"], ["169.254.169.254"])
    base = f"http://rebind.invalid:{outside.port}"
    outside.answers(lambda: web.json_response({}))
    reach = Reach.only(base, allow_private=True)
    async with Fetcher(reach, limits=quick, tls=tls, resolve=names) as fetcher:
        await fetcher.get_json(base)
    assert names.questions == ["rebind.invalid"]
    assert outside.requests[0].host == f"rebind.invalid:{outside.port}"


async def test_even_a_configured_name_never_leads_to_a_metadata_service(quick, tls):
    base = "http://inside.example:8080"
    reach = Reach.only(base, allow_private=True)
    async with Fetcher(reach, limits=quick, tls=tls, resolve=Names(["169.254.169.254"])) as fetcher:
        with pytest.raises(AddressRefused):
            await fetcher.get_json(base)


async def test_tls_still_asks_for_the_host_by_name(quick, tls):
    hello: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = await reader.read(2000)
        if not hello.done():
            hello.set_result(first)
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    base = f"https://shop.invalid:{server.sockets[0].getsockname()[1]}"
    reach = Reach.only(base, allow_private=True)
    async with (
        server,
        Fetcher(reach, limits=quick, tls=tls, resolve=Names(["127.0.0.1"])) as fetcher,
    ):
        with pytest.raises(HostUnavailable):
            await fetcher.get_json(base)
    assert b"shop.invalid" in await hello


async def test_a_name_that_does_not_exist_is_unavailable(quick, tls):
    async def nobody(host: str, port: int) -> Sequence[str]:
        raise OSError("no such name")

    async with Fetcher(limits=quick, tls=tls, resolve=nobody) as fetcher:
        with pytest.raises(HostUnavailable, match=r"gone\.example"):
            await fetcher.get_json("https://gone.example/")


async def test_redirects_within_the_site_are_followed(outside, fetcher):
    outside.answers(redirect("/b"), redirect(f"{outside.base}/c"), lambda: web.json_response([1]))
    assert await fetcher.get_json(f"{outside.base}/a") == [1]
    assert [request.path for request in outside.requests] == ["/a", "/b", "/c"]


async def test_a_circle_of_redirects_ends(outside, fetcher):
    outside.answers(redirect("/again"))
    with pytest.raises(HostUnavailable, match="circle"):
        await fetcher.get_json(f"{outside.base}/a")


async def test_a_post_is_never_redirected(outside, fetcher):
    outside.answers(redirect("/elsewhere", 307))
    with pytest.raises(RequestRefused, match="base URL"):
        await fetcher.post_form(f"{outside.base}/token", {"secret": "s"})
    assert len(outside.requests) == 1


async def test_secrets_stay_behind_when_a_redirect_leaves_the_site(outside, quick, tls):
    names = Names(["127.0.0.1"])
    other = f"http://other.invalid:{outside.port}"
    outside.answers(redirect(f"{other}/b"), lambda: web.json_response({}))
    reach = Reach.only(outside.base, other, allow_private=True)
    async with Fetcher(reach, limits=quick, tls=tls, resolve=names) as fetcher:
        await fetcher.get_json(f"{outside.base}/a", headers={"Authorization": "Bearer s"})
    first, second = outside.requests
    assert first.headers["Authorization"] == "Bearer s"
    assert "Authorization" not in second.headers
    assert second.headers["User-Agent"] == "whence"


async def test_what_one_reach_allows_is_not_open_to_the_fetcher_it_came_from(outside, quick, tls):
    outside.answers(lambda: web.json_response({}))
    async with Fetcher(limits=quick, tls=tls) as fetcher:
        inner = fetcher.within(Reach.only(outside.base, allow_private=True))
        await inner.get_json(outside.base)
        with pytest.raises(AddressRefused):
            await fetcher.get_json(outside.base)
