"""Pages, redirects and limits; which URLs are taken and which addresses are reached."""

from __future__ import annotations

import gzip
import socket
import threading
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from builtin_servers.framework.tool import CallContext, ToolCallError
from builtin_servers.web import http
from builtin_servers.web.http import (
    AddressResolver,
    FetchedPage,
    HttpClient,
    Proxy,
    is_public,
    parse_url,
    resolve_host,
)
from tests.builtin_command import ignore
from tests.builtin_servers.web.site import PUBLIC, OneIsPublic, Site, running
from tests.builtin_servers.web.tls import server_context

if TYPE_CHECKING:
    import ssl
    from collections.abc import Generator, Iterator
    from pathlib import Path


@pytest.fixture
def site() -> Iterator[Site]:
    with running() as site:
        yield site


def get(url: str, max_seconds: float = 10) -> FetchedPage:
    return HttpClient(OneIsPublic(), "tests", max_seconds).get(url, CallContext({}, ignore))


def test_a_page_is_had_with_its_type(site: Site) -> None:
    site.say("/a?b=1", "text", Content_Type="Text/HTML; charset=Latin-1", Set_Cookie="a=b")
    page = get(site.url("/a?b=1#part"))
    assert (page.status, page.mime, page.charset) == (200, "text/html", "latin-1")
    assert page.body == b"text"
    get(site.url("/a?b=1"))
    headers = site.requests[-1][1]
    assert headers["User-Agent"] == "tests"
    assert headers["Host"] == f"{PUBLIC}:{site.port}"
    assert not {"Cookie", "Referer", "Authorization"} & set(headers)


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "127.1", "0.0.0.0"],
)
def test_this_computer_is_reached_neither_at_once_nor_by_a_redirect(site: Site, host: str) -> None:
    with pytest.raises(ToolCallError, match=r"private network|not found"):
        get(site.url("/secret", host))
    site.say("/away", status=302, Location=site.url("/secret", host))
    with pytest.raises(ToolCallError, match=r"private network|not found"):
        get(site.url("/away"))
    assert "/secret" not in site.paths


@pytest.mark.parametrize("location", ["file:///etc/passwd", "http://a@127.0.0.1/", "gopher://x/"])
def test_a_redirect_to_what_is_no_url_is_refused(site: Site, location: str) -> None:
    site.say("/away", status=301, Location=location)
    with pytest.raises(ToolCallError, match=r"Only http|user name"):
        get(site.url("/away"))


def test_redirects_are_followed_and_their_number_is_limited(site: Site) -> None:
    site.say("/1", status=302, Location="/2")
    site.say("/2", status=308, Location=site.url("/3"))
    site.say("/3", "there")
    page = get(site.url("/1"))
    assert (page.body, str(page.url)) == (b"there", site.url("/3"))
    site.say("/loop", status=302, Location="/loop")
    with pytest.raises(ToolCallError, match="more than 5 redirects"):
        get(site.url("/loop"))


def test_the_name_is_resolved_once_and_that_address_is_connected_to(site: Site) -> None:
    """A name that is public when checked and private when connected to gains nothing."""
    asked: list[str] = []

    class Rebinding(OneIsPublic):
        def find(self, host: str, port: int) -> list[tuple[int, str]]:
            asked.append(host)
            return super().find(host, port)

    site.say("/", "x")
    HttpClient(Rebinding(), "tests").get(site.url("/"), CallContext({}, ignore))
    assert asked == [PUBLIC]  # a second look-up of this name by the system would have failed


def test_a_large_body_is_cut(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY_BYTES", 1000)
    site.say("/", b"x" * 5000)
    page = get(site.url("/"))
    assert (len(page.body), page.is_truncated) == (1000, True)


def test_a_packed_body_is_unpacked_up_to_the_limit(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.say("/", gzip.compress(b"hello"), Content_Encoding="gzip")
    assert get(site.url("/")).body == b"hello"
    monkeypatch.setattr(http, "MAX_BODY_BYTES", 1000)
    site.say("/bomb", gzip.compress(bytes(50_000_000)), Content_Encoding="gzip")
    assert len(get(site.url("/bomb")).body) == 1000
    site.say("/bad", b"nothing packed", Content_Encoding="gzip")
    with pytest.raises(ToolCallError, match="could not be reached"):
        get(site.url("/bad"))
    site.say("/odd", b"", Content_Encoding="br")
    with pytest.raises(ToolCallError, match="packed as 'br'"):
        get(site.url("/odd"))


@contextmanager
def speaking(first: bytes, then: bytes, secured: ssl.SSLContext | None = None) -> Generator[str]:
    """A server that says `first`, then `then` again and again; yields its URL."""
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def speak() -> None:
        try:
            plain, _ = listener.accept()
            with secured.wrap_socket(plain, server_side=True) if secured else plain as connection:
                connection.sendall(first)
                while then and not stop.wait(0.02):
                    connection.sendall(then)
                connection.recv(10_000)
        except OSError:
            return  # the other side had enough

    thread = threading.Thread(target=speak)
    thread.start()
    try:
        scheme = "https" if secured else "http"
        yield f"{scheme}://{PUBLIC}:{listener.getsockname()[1]}/"
    finally:
        stop.set()
        thread.join()
        listener.close()


DRIP = (b"HTTP/1.1 200 OK\r\n", b"X-More: y\r\n")
WHOLE = (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"")


def test_a_server_that_drips_is_left_at_the_limit() -> None:
    with speaking(*DRIP) as url, pytest.raises(ToolCallError, match=r"within 0\.5 s"):
        get(url, max_seconds=0.5)


def test_so_is_one_that_drips_in_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, file = server_context(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with speaking(*WHOLE, context) as url:
        assert get(url).body == b"hi"
    with speaking(*DRIP, context) as url, pytest.raises(ToolCallError, match=r"within 0\.5 s"):
        get(url, max_seconds=0.5)


@contextmanager
def tunnelling(port: int, answer: bytes) -> Generator[tuple[Proxy, list[bytes]]]:
    """A proxy that answers CONNECT and leads to a port of this computer, whatever the host."""
    asked: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def relay(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while block := source.recv(10_000):
                target.sendall(block)
        with suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        client, _ = listener.accept()
        with client:
            asked.append(client.recv(10_000))
            client.sendall(answer)
            if b" 200 " not in answer:
                return
            with socket.create_connection(("127.0.0.1", port)) as server:
                back = threading.Thread(target=relay, args=(server, client))
                back.start()
                relay(client, server)
                back.join()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield Proxy("127.0.0.1", listener.getsockname()[1], "Basic x"), asked
    finally:
        listener.close()
        thread.join()


def test_a_secure_page_comes_through_a_tunnel_of_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, file = server_context(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with speaking(*WHOLE, context) as url:
        port = parse_url(url).port
        with tunnelling(port, b"HTTP/1.1 200 Connection established\r\n\r\n") as (proxy, asked):
            client = HttpClient(OneIsPublic(), "tests", 10, proxy=proxy)
            assert client.get(url, CallContext({}, ignore)).body == b"hi"
    assert asked[0].startswith(f"CONNECT {PUBLIC}:{port} HTTP/1.1\r\n".encode())
    assert b"Proxy-Authorization: Basic x\r\n" in asked[0]


def test_a_proxy_that_refuses_is_named() -> None:
    with tunnelling(0, b"HTTP/1.1 407 Sign in\r\n\r\n") as (proxy, _):
        client = HttpClient(OneIsPublic(), "tests", 10, proxy=proxy)
        with pytest.raises(ToolCallError, match=r"The proxy 127\.0\.0\.1:\d+ answered 407"):
            client.get(f"https://{PUBLIC}/", CallContext({}, ignore))


def test_a_certificate_that_nobody_signed_is_refused(tmp_path: Path) -> None:
    context, _ = server_context(tmp_path)
    with (
        speaking(*WHOLE, context) as url,
        pytest.raises(ToolCallError, match="is not trusted: self"),
    ):
        get(url)


def test_what_is_no_http_is_said() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ToolCallError, match="does not answer as HTTP says"):
            get(f"http://{PUBLIC}:{listener.getsockname()[1]}/")
        thread.join()
        port = listener.getsockname()[1]
    with pytest.raises(ToolCallError, match="could not be reached: Connection refused"):
        get(f"http://{PUBLIC}:{port}/")


def test_a_body_that_stops_early_is_an_error(site: Site) -> None:
    site.say("/", b"short", Content_Length="5000")
    assert get(site.url("/")).body == b"short"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "2001:0:7f00:1::",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "not an address",
    ],
)
def test_what_is_not_public_is_not(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.215.14", "2606:4700::1111", "64:ff9b::101:101"]
)
def test_what_is_public_is(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host", ["localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "::1"]
)
def test_other_ways_to_write_this_computer_are_refused(host: str) -> None:
    with pytest.raises(ToolCallError, match=r"private network|was not found"):
        AddressResolver().find(host, 80)


def test_a_name_with_one_private_address_is_refused() -> None:
    both = AddressResolver(resolve_host=lambda host, port: [(2, "1.1.1.1"), (2, "192.168.0.1")])
    with pytest.raises(ToolCallError, match=r"evil\.test is 192\.168\.0\.1"):
        both.find("evil.test", 80)


def test_a_private_address_may_be_allowed() -> None:
    private = AddressResolver(allow_private=True, resolve_host=lambda host, port: [(2, "10.0.0.1")])
    assert private.find("router", 80) == [(2, "10.0.0.1")]


def test_a_name_that_is_none_is_said() -> None:
    for host in ("x" * 300, "a..b", "no-such-host.invalid"):
        with pytest.raises(ToolCallError, match="was not found"):
            resolve_host(host, 80)


@pytest.mark.parametrize(
    ("text", "host", "port", "target"),
    [
        ("http://a.test", "a.test", 80, "/"),
        ("https://A.test:8443/x?y=1#part", "a.test", 8443, "/x?y=1"),
        ("http://[::1]:80/", "::1", 80, "/"),
        ("http://bücher.test/ü?q=ä", "xn--bcher-kva.test", 80, "/%C3%BC?q=%C3%A4"),
        ("http://a.test/%41%zz", "a.test", 80, "/%41%zz"),
    ],
)
def test_a_url_is_taken_apart(text: str, host: str, port: int, target: str) -> None:
    url = parse_url(text)
    assert (url.host, url.port, url.target) == (host, port, target)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("file:///etc/passwd", "Only http"),
        ("ftp://a.test/", "Only http"),
        ("gopher://a.test/", "Only http"),
        ("data:text/html,x", "Only http"),
        ("javascript:alert(1)", "Only http"),
        ("a.test", "Only http"),
        ("http://", "no host"),
        ("http:///x", "no host"),
        ("http://good.test@127.0.0.1/", "user name"),
        ("http://good.test:80@127.0.0.1/", "user name"),
        ("http://good.test\\@127.0.0.1/", "backslash"),
        ("http://good.test /x", "space"),
        ("http://good.test/\r\nX: y", "control"),
        ("http://a.test:99999/", "not a URL"),
        ("http://a.test:x/", "not a URL"),
        ("http://[::1/", "not a URL"),
        ("http://a.test/" + "x" * 9000, "more than"),
        ("http://ü..test/", "not a host"),
    ],
)
def test_what_is_none_or_pretends_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ToolCallError, match=reason):
        parse_url(text)


def test_a_redirect_may_be_relative_but_not_to_another_scheme() -> None:
    url = parse_url("https://a.test:444/x/y?z")
    assert str(url.join("../w")) == "https://a.test:444/w"
    assert str(url.join("//b.test/")) == "https://b.test/"
    with pytest.raises(ToolCallError, match="Only http"):
        url.join("file:///etc/passwd")
