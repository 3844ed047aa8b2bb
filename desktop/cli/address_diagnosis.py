"""Examines the way to a server at a URL: name, connection, TLS, what answers, how one signs in.

One step after the other, each with its time, up to the first that cannot work. Sends no MCP message
and no token; prints nothing and changes nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import ssl
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx2

from desktop.base.bounded_http import open_client
from desktop.base.errors import DesktopError
from desktop.base.http_proxy import proxy_for, shown_proxy
from desktop.servers.oauth.credentials import origin
from desktop.servers.oauth.exchange import bounded_answer
from desktop.servers.oauth.metadata import resource_metadata_urls, server_metadata_urls
from desktop.servers.oauth.steps import shown_url
from desktop.servers.state import UNAUTHORIZED
from desktop.servers.transport.http_connections import tls_context
from desktop.servers.transport.http_error_messages import explain
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from desktop.cli.doctor_report import DoctorReport
    from desktop.config.models import ServerConfig

LIMIT: Final = 10.0
"""Seconds that each step may take."""
MAX_SKEW: Final = 60.0
"""Seconds that the clocks may differ: tokens count as ended early, or are not good yet."""
SOON: Final = 14.0
"""Days before its end that a certificate is worth a warning."""
_DAY: Final = 86_400.0
_MAX_ADDRESSES: Final = 6
_MAX_METADATA: Final = 4
_CLOCK_ADVICE: Final = "Set the clock of this computer; signing in depends on it."


async def look_at_address(config: ServerConfig, report: DoctorReport) -> bool:
    """Add what is found out about the way; whether it leads to something that speaks HTTP.

    Args:
        config: the server, its variables replaced.
        report: to be added to.
    """
    report.add("address", "note", config.url)
    proxy = proxy_for(config.url)
    if proxy:
        report.add("proxy", "note", f"{shown_proxy(proxy)}, which looks up names and connects")
    elif not (await _look_up(config, report) and await _connect(config, report)):
        return False
    try:
        context = tls_context(config)
    except DesktopError as error:
        report.add("tls", "failed", str(error.args[0]), error.remedy)
        return False
    async with open_client(verify=context, timeout=LIMIT) as client:
        answer = await _ask(client, config, report)
        if answer is None:
            return False
        _look_at_clock(answer, report)
        await _look_at_sign_in(client, config, answer, report)
    return True


async def _look_up(config: ServerConfig, report: DoctorReport) -> bool:
    host, port = _place(config.url)
    began = time.monotonic()
    try:
        async with asyncio.timeout(LIMIT):
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
    except (TimeoutError, OSError, UnicodeError) as error:
        what = "no answer in time" if isinstance(error, TimeoutError) else _os_words(error)
        advice = "Check the spelling of its URL, and your network or VPN."
        report.add("name", "failed", f"{host} was not found ({what})", advice)
        return False
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    shown = ", ".join(addresses[:_MAX_ADDRESSES])
    if len(addresses) > _MAX_ADDRESSES:
        shown += f" and {len(addresses) - _MAX_ADDRESSES} more"
    report.add("name", "ok", f"{host} is {shown}{_took(began)}")
    return True


async def _connect(config: ServerConfig, report: DoctorReport) -> bool:
    """TCP, and TLS where the address wants it."""
    host, port = _place(config.url)
    began = time.monotonic()
    try:
        async with asyncio.timeout(LIMIT):
            _, writer = await asyncio.open_connection(host, port)
    except (TimeoutError, OSError) as error:
        what = "no answer in time" if isinstance(error, TimeoutError) else _os_words(error)
        advice = "Check that the server is running there and that no firewall blocks it."
        report.add("connect", "failed", f"no connection to {host}:{port} ({what})", advice)
        return False
    report.add("connect", "ok", f"{host}:{port}{_took(began)}")
    try:
        return urlsplit(config.url).scheme != "https" or await _start_tls(config, writer, report)
    finally:
        writer.close()


async def _start_tls(
    config: ServerConfig, writer: asyncio.StreamWriter, report: DoctorReport
) -> bool:
    host, _ = _place(config.url)
    began = time.monotonic()
    try:
        async with asyncio.timeout(LIMIT):
            await writer.start_tls(tls_context(config), server_hostname=host)
    except DesktopError as error:
        report.add("tls", "failed", str(error.args[0]), error.remedy)
        return False
    except (TimeoutError, OSError) as error:  # an error of TLS is one of the system, too
        failure = httpx2.ConnectError(str(error))
        failure.__cause__ = error
        told = explain(failure, config.url)
        words, advice = told if told is not None else (str(error), "")
        report.add("tls", "failed", words, advice)
        return False
    connection = writer.get_extra_info("ssl_object")
    report.add("tls", "ok", f"{connection.version()}{_took(began)}")
    _look_at_certificate(connection.getpeercert(), report)
    return True


def _look_at_certificate(certificate: dict[str, Any] | None, report: DoctorReport) -> None:
    if not certificate or "notAfter" not in certificate:
        return
    left = (ssl.cert_time_to_seconds(certificate["notAfter"]) - time.time()) / _DAY
    names = [value for part in certificate.get("issuer", ()) for _, value in part]
    words = f"issued by {', '.join(names[-2:])}, valid for {left:.0f} more days"
    advice = "The operator of the server has to renew its certificate soon." if left < SOON else ""
    report.add("tls", "warning" if advice else "ok", words, advice)


async def _ask(
    client: httpx2.AsyncClient, config: ServerConfig, report: DoctorReport
) -> httpx2.Response | None:
    """What the address answers to one who sends no token; None where nothing does."""
    request = client.build_request("GET", config.url, headers={"accept": "text/event-stream"})
    began = time.monotonic()
    try:
        answer = await client.send(request, stream=True)
        await answer.aclose()
    except httpx2.HTTPError as error:
        words, advice = explain(error, config.url) or (str(error), "")
        report.add("http", "failed", words, advice)
        return None
    words = f"{answer.http_version} {answer.status_code} {answer.reason_phrase}".strip()
    report.add("http", "ok", words + _took(began))
    if answer.is_redirect:
        _look_at_redirect(config, answer, report)
    return answer


def _look_at_redirect(config: ServerConfig, answer: httpx2.Response, report: DoctorReport) -> None:
    target = str(answer.request.url.join(answer.headers.get("location", "")))
    if origin(target) == origin(config.url):
        report.add("redirect", "note", f"to {shown_url(target)}, same host: followed")
        return
    advice = f"If you trust that host, use it as the URL: {shown_url(target)}"
    report.add("redirect", "warning", f"to {shown_url(target)}, another host: not followed", advice)


def _look_at_clock(answer: httpx2.Response, report: DoctorReport) -> None:
    try:
        there = parsedate_to_datetime(answer.headers.get("date", ""))
        skew = (datetime.now(UTC) - there).total_seconds()
    except (ValueError, TypeError):  # there is none, or it is none
        return
    words = f"{abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} the server's"
    if abs(skew) > MAX_SKEW:
        report.add("clock", "warning", words, _CLOCK_ADVICE)
    else:
        report.add("clock", "ok", words)


async def _look_at_sign_in(
    client: httpx2.AsyncClient, config: ServerConfig, answer: httpx2.Response, report: DoctorReport
) -> None:
    """The documents that say how one signs in, where the server wants that."""
    has_own = any(name.lower() == "authorization" for name in config.headers)
    if answer.status_code != UNAUTHORIZED or has_own:
        return
    challenge = answer.headers.get("www-authenticate", "")
    report.add("sign-in", "note", f"wanted{'' if challenge else ', without instructions'}")
    here = origin(config.url)
    urls = resource_metadata_urls(challenge, config.url)
    resource = await _first_document(client, urls, "resource", here, report)
    servers = list_of(resource.get("authorization_servers")) or [None]
    issuer = servers[0] if isinstance(servers[0], str) else None
    urls = server_metadata_urls(issuer, config.url)
    server = await _first_document(client, urls, "sign-in", here, report)
    if server:
        ways = _ways(server)
        report.add("sign-in", "ok", f"at {shown_url(str(server.get('issuer')))}: {', '.join(ways)}")


def _ways(server: dict[str, Any]) -> list[str]:
    """How one signs in there, as far as the metadata say it."""
    found = {
        "with a browser": "authorization_endpoint",
        "with a code on another device": "device_authorization_endpoint",
        "the app registers itself": "registration_endpoint",
        "sign-out revokes": "revocation_endpoint",
    }
    return [words for words, key in found.items() if server.get(key)]


async def _first_document(
    client: httpx2.AsyncClient,
    urls: list[str],
    check: str,
    here: tuple[str, str, int | None],
    report: DoctorReport,
) -> dict[str, Any]:
    """The first of some documents that is there; each that is tried is told.

    Args:
        client: asks.
        urls: of the server's choosing: over TLS, or at its own host, and nowhere else.
        check: what the findings are named.
        here: where the server is.
        report: to be added to.
    """
    for url in urls[:_MAX_METADATA]:
        if urlsplit(url).scheme != "https" and origin(url)[1] != here[1]:
            report.add(check, "warning", f"{shown_url(url)}: not encrypted, skipped")
            continue
        began = time.monotonic()
        try:
            answer = await bounded_answer(client, client.build_request("GET", url))
            found = dict(object_of(json.loads(answer.content))) if answer.is_success else {}
        except (TimeoutError, DesktopError, httpx2.HTTPError, ValueError, RecursionError) as error:
            report.add(check, "warning", f"{shown_url(url)}: {type(error).__name__}")
            continue
        words = f"{shown_url(url)}: {answer.status_code}{_took(began)}"
        report.add(check, "ok" if found else "note", words)
        if found:
            return found
    advice = "Ask the operator how to sign in, or set its oauth by hand."
    report.add(check, "warning", "no sign-in metadata found", advice)
    return {}


def _place(url: str) -> tuple[str, int]:
    scheme, host, port = origin(url)
    return host, port or (443 if scheme == "https" else 80)


def _os_words(error: Exception) -> str:
    number = error.errno if isinstance(error, OSError) else None
    return os.strerror(number) if number is not None and number > 0 else str(error)


def _took(began: float) -> str:
    return f" ({(time.monotonic() - began) * 1000:.0f} ms)"
