"""Why a server at a URL is not reached is named as what it is: TLS, the wrong scheme, a proxy."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import httpx2
import pytest

from desktop.base.http_proxy import proxy_for, use_shell
from desktop.servers.transport.http_error_messages import explain
from tests.builtin_servers.web.site import PUBLIC
from tests.builtin_servers.web.tls import faulty_context, server_context
from tests.http_stub import TEXT, Answer, serving
from tests.live_servers import connected

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from desktop.config.models import ServerConfig

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
LOGIN = "user:hunter2@"
SOCKS = f"socks5://{LOGIN}127.0.0.1:9"


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy of whoever runs this."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def error_at_connect(config: ServerConfig) -> str:
    async with connected(config) as connection:
        assert connection.state.phase == "failed"
        assert "hunter2" not in connection.state.error
        return connection.state.error


def with_scheme(config: ServerConfig, scheme: str) -> ServerConfig:
    return config.changed(url=f"{scheme}:{config.url.partition(':')[2]}")


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_an_untrusted_certificate_is_told_with_how_to_trust_it(
    transport: str, tmp_path: Path
) -> None:
    async with serving(tls=server_context(tmp_path)[0]) as stub:
        assert await error_at_connect(stub.config(transport=transport)) == (
            "web: its certificate is not trusted (self-signed certificate)\n"
            "If you trust its issuer, set the file with the issuer's certificate: "
            '"tls": {"ca": …}.'
        )


def strict_error(server: ssl.SSLContext, file: Path) -> ssl.SSLCertVerificationError:
    """What a client of Python 3.13 raises at the certificate, whatever Python runs this."""
    client = ssl.create_default_context(cafile=file)
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    here, there = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = (
        client.wrap_bio(here, there, server_hostname=PUBLIC),
        server.wrap_bio(there, here, server_side=True),
    )
    try:
        for side in (*sides, *sides):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()
    except ssl.SSLCertVerificationError as error:
        return error
    raise AssertionError("it was accepted")


def test_a_certificate_that_only_newer_pythons_refuse_is_told_to_be_made_anew(
    tmp_path: Path,
) -> None:
    cause = httpx2.ConnectError("refused")
    cause.__cause__ = strict_error(*faulty_context(tmp_path))
    told = explain(cause)
    assert told is not None
    assert told.words.startswith("its certificate is not trusted (")
    assert "from version 3.13 on" in told.remedy
    assert '"tls"' not in told.remedy


async def test_a_certificate_for_another_name_is_no_question_of_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, file = server_context(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    async with serving(tls=context) as stub:
        error = await error_at_connect(stub.config())
        assert "mismatch, certificate is not valid for '127.0.0.1'" in error
        assert error.endswith("Use the host name of the certificate in its URL.")


async def test_a_server_of_plain_http_that_is_asked_for_tls_is_told_by_its_scheme() -> None:
    async with serving() as stub:
        assert await error_at_connect(with_scheme(stub.config(), "https")) == (
            "web: the server at its address does not use TLS\n"
            "If it uses plain HTTP, change its URL to http://."
        )


async def test_a_server_of_tls_that_is_asked_for_plain_http_is_told_by_its_scheme(
    tmp_path: Path,
) -> None:
    async with serving(tls=server_context(tmp_path)[0]) as stub:
        error = await error_at_connect(with_scheme(stub.config(), "http"))
        assert "the connection to its address broke" in error
        assert error.endswith("If it uses TLS, change its URL to https://.")


async def test_a_dead_proxy_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://{LOGIN}127.0.0.1:9")
    async with serving() as stub:
        error = await error_at_connect(stub.config().changed(url="http://mcp.invalid/mcp"))
        assert error.startswith("web: the proxy http://127.0.0.1:9 did not answer (")
        assert error.endswith("Check the proxy, or add the host of the server to NO_PROXY.")


async def test_a_proxy_that_does_not_connect_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as stub:
        monkeypatch.setenv("HTTPS_PROXY", stub.address.replace("://", f"://{LOGIN}"))
        error = await error_at_connect(stub.config().changed(url="https://mcp.invalid/mcp"))
        assert error.startswith(f"web: the proxy {stub.address} refused to connect to it (405 ")


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_a_socks_proxy_of_another_kind_is_named_and_no_package_is(
    transport: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", SOCKS.replace("socks5", "socks4"))
    async with serving() as stub:
        config = stub.config(transport=transport).changed(url="http://mcp.invalid/mcp")
        assert await error_at_connect(config) == (
            "web: the proxy socks4://127.0.0.1:9 uses a kind of SOCKS that is not supported\n"
            "Use an HTTP or SOCKS5 proxy instead, or add the server's host to NO_PROXY."
        )


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
@pytest.mark.parametrize("names", [("HTTP_PROXY",), ("http_proxy", "https_proxy", "all_proxy")])
async def test_this_machine_is_reached_past_every_proxy(
    host: str, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in names:
        monkeypatch.setenv(name, SOCKS if "all" in name else f"http://{LOGIN}127.0.0.1:9")
    async with serving() as stub:
        config = stub.config()
        config = config.changed(url=config.url.replace("127.0.0.1", host))
        async with connected(config) as connection:
            assert connection.is_connected, connection.state.error


@pytest.mark.parametrize("scheme", ["socks5", "socks5h", "socks"])
async def test_a_server_is_reached_through_a_socks_proxy(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving() as stub, socks_proxy(stub.address) as (proxy, asked):
        monkeypatch.setenv("ALL_PROXY", f"{scheme}://{proxy}")
        async with connected(stub.config().changed(url="http://mcp.invalid/mcp")) as connection:
            assert connection.is_connected, connection.state.error
        assert "mcp.invalid" in asked


async def test_a_fault_that_may_be_the_proxys_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving() as stub:
        stub.refuse = lambda _: Answer(502, b"", TEXT)
        monkeypatch.setenv("HTTP_PROXY", stub.address.replace("://", f"://{LOGIN}"))
        error = await error_at_connect(stub.config().changed(url="http://mcp.invalid/mcp"))
        assert error.startswith(f"web: its address, or the proxy {stub.address}, answered 502")


@asynccontextmanager
async def socks_proxy(target: str) -> AsyncGenerator[tuple[str, list[str]]]:
    """A SOCKS5 proxy that leads everywhere to one address; where to, and the hosts asked for."""
    asked: list[str] = []
    host, _, port = target.partition("://")[2].partition(":")

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                sink.write(data)
                await sink.drain()
        sink.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, methods = await reader.readexactly(2)
        await reader.readexactly(methods)
        writer.write(b"\x05\x00")
        *_, kind = await reader.readexactly(4)
        length = (await reader.readexactly(1))[0] if kind == 3 else 4
        name = await reader.readexactly(length)
        asked.append(name.decode("latin-1"))
        await reader.readexactly(2)
        inner, outer = await asyncio.open_connection(host, int(port))
        writer.write(b"\x05\x00\x00\x01" + bytes(6))
        await asyncio.gather(pump(reader, outer), pump(inner, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@pytest.mark.parametrize(
    ("shell", "own", "proxy"),
    [
        ({"https_proxy": "http://10.0.0.1:7890"}, {}, "http://10.0.0.1:7890"),
        ({"ALL_PROXY": "socks5://10.0.0.1:1"}, {}, "socks5://10.0.0.1:1"),
        (
            {"https_proxy": "http://10.0.0.1:1"},
            {"HTTPS_PROXY": "http://10.0.0.2:2"},
            "http://10.0.0.2:2",
        ),
        ({"https_proxy": "http://10.0.0.1:1", "no_proxy": "mcp.invalid"}, {}, ""),
        ({"http_proxy": "http://10.0.0.1:1"}, {}, ""),
    ],
)
def test_proxies_of_the_login_shell_stand_in_where_the_environment_has_none(
    shell: dict[str, str], own: dict[str, str], proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in own.items():
        monkeypatch.setenv(name, value)
    use_shell(shell)
    try:
        assert proxy_for("https://mcp.invalid/mcp") == proxy
        assert proxy_for("https://127.0.0.1/mcp") == ""
    finally:
        use_shell({})
