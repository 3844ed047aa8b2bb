"""Says why a server at a URL was not reached or refused a message, and what to do about it.

TLS, proxies, HTTP statuses and answers that are no MCP are named as what they are: the words of the
SDK and of the HTTP client name none of them. Must not decide what happens next.
"""

from __future__ import annotations

import json
import ssl
from typing import NamedTuple, cast

import httpx2
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    UNSUPPORTED_PROTOCOL_VERSION,
    URL_ELICITATION_REQUIRED,
)

from desktop.base.bounded_http import DAMAGED, TOO_LARGE, UNKNOWN_CODING
from desktop.base.http_proxy import proxy_for, shown_proxy
from desktop.base.refusal_words import find_words, parsed
from desktop.base.translatable import translatable
from desktop.redaction.policy import redact_text
from desktop.servers.repair.message_repair import TOO_DEEP
from desktop.servers.sdk import MCPError
from desktop.servers.state import UNAUTHORIZED
from desktop.servers.transport.http_refusal import HttpRefusal, refusal_of
from desktop.servers.transport.stderr_log import plain
from desktop.servers.transport.stdio_transport import MAX_LINE_BYTES

LOOK_AT_URL = translatable("Check the URL, and that the server is running there.")
LOOK_AT_TYPE = translatable("If it uses Streamable HTTP instead of SSE, set its type to http.")
LOOK_AT_PROXY = translatable("Check the proxy, or add the host of the server to NO_PROXY.")
MAX_SHOWN_LENGTH = 500
"""Characters of somebody else's message that are shown."""
_WITH_OWN_DATA = {URL_ELICITATION_REQUIRED, UNSUPPORTED_PROTOCOL_VERSION}
"""Errors whose data are for the client, and not for a person."""
_MAX_DETAILS = 300
"""Characters of the data of an error that are shown."""
_STAND_INS = {
    (METHOD_NOT_FOUND, "Not Found"),
    (INVALID_REQUEST, "Session terminated"),
    (INTERNAL_ERROR, "Server returned an error response"),
}
"""What the SDK says in place of a refusal that has no words of the server."""
_NO_MCP = "Unexpected content type:"
_NO_MESSAGE = "Failed to parse JSON response:"
_BEGINNING_OF_DATE = 40
_TOO_MANY = 429
_MET_HTTP = frozenset((400, 405, 406, 415))
"""Answers of a Streamable HTTP server to a client that asks for SSE."""
_PLAIN_HTTP = frozenset(("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST"))
"""What OpenSSL says of an answer that is not TLS at all."""
_EXPIRED, _OTHER_NAMES = 10, (62, 64)
"""What OpenSSL's verification says of a certificate: its time, its host name, its IP address."""
_STRICT = range(79, 95)
"""What it says only where it is strict, as Python is from 3.13 on: X509_V_FLAG_X509_STRICT."""


class Explanation(NamedTuple):
    """A sentence without its subject, which is the server, and what to do."""

    words: str
    remedy: str = LOOK_AT_URL


def explain(cause: BaseException, url: str = "", *, is_sse: bool = False) -> Explanation | None:
    """What is known of a failure; None where it has nothing to do with HTTP.

    Args:
        cause: what was raised.
        url: where the server is; empty where that is not known.
        is_sse: whether SSE was spoken.
    """
    if (refusal := refusal_of(cause)) is not None:
        return Explanation(_refusal_words(cause, refusal), _refusal_remedy(refusal, is_sse=is_sse))
    if isinstance(cause, MCPError):
        return _no_mcp(cause.message)
    if isinstance(cause, httpx2.TransportError):
        return _tls(cause) or _proxy(cause, url) or _connection(cause, url)
    return None


def shorten(text: str) -> str:
    """The beginning of somebody else's message."""
    return text[:MAX_SHOWN_LENGTH]


def _refusal_words(cause: BaseException, refusal: HttpRefusal) -> str:
    if refusal.not_renewed and refusal.status == UNAUTHORIZED:
        why = refusal.not_renewed
        return translatable("its sign-in could not be renewed ({why})", why=why)
    status = plain(refusal.status_line)[:MAX_SHOWN_LENGTH]
    if _has_own_words(cause, refusal) and isinstance(cause, MCPError):
        message, code = with_data(cause), cause.code
        words = translatable(
            "{message} (code {code}, {status})", message=message, code=code, status=status
        )
    else:
        words = translatable("its address answered {status}", status=status)
        if refusal.proxy:
            words = translatable(
                "its address, or the proxy {proxy}, answered {status}",
                proxy=refusal.proxy,
                status=status,
            )
        if (said := _said(refusal.text)) and said.lower() not in status.lower():
            words = translatable("{words}: {said}", words=words, said=said)
    after = refusal.retry_after
    if after.isdecimal():
        return translatable("{words}; it asks to wait {seconds} s", words=words, seconds=after)
    if after:
        date = plain(after)[:_BEGINNING_OF_DATE]
        return translatable("{words}; it asks to wait until {date}", words=words, date=date)
    return words


def with_data(error: MCPError) -> str:
    """The words of an error with its `data`, in one redacted line: some say all there."""
    words, data = shorten(error.message), cast("object", error.data)
    if (refusal := refusal_of(error)) is not None:
        data = refusal.data
    if not data or error.code in _WITH_OWN_DATA:
        return words
    line = _line(_data_words(data)[:_MAX_DETAILS])
    return words if line in words else f"{words} [{line}]".strip()


def _data_words(data: object) -> str:
    """A list of errors as they are read; anything else as it is, for each part of it may matter."""
    if isinstance(data, str):
        return data
    entries = cast("list[object]", data) if isinstance(data, list) else []
    if entries and not any(isinstance(each, str) or not find_words(each) for each in entries):
        return find_words(entries)
    return json.dumps(data, ensure_ascii=False, default=str)


def _said(text: str) -> str:
    """What a body says, in one redacted line."""
    return shorten(_line(find_words(parsed(text))))


def _line(text: str) -> str:
    return redact_text(plain(" ".join(text.split())))


def _has_own_words(cause: BaseException, refusal: HttpRefusal) -> bool:
    if not isinstance(cause, MCPError) or cause.message == refusal.status_line:
        return False
    return (cause.code, cause.message) not in _STAND_INS and bool(with_data(cause))


def _refusal_remedy(refusal: HttpRefusal, *, is_sse: bool) -> str:
    if refusal.not_renewed and refusal.status == UNAUTHORIZED:
        return translatable("Try again later. If it stays so, sign in again.")
    if refusal.is_about_host:
        return translatable("Use an address that the server allows, or add this one to its list.")
    if refusal.asks_for_credentials:
        return translatable("Check the credentials in its HTTP headers.")
    if refusal.proxy:
        return LOOK_AT_PROXY
    if refusal.status == _TOO_MANY:
        return translatable("Wait a while, then restart it.")
    if is_sse and refusal.status in _MET_HTTP:
        return LOOK_AT_TYPE
    return LOOK_AT_URL


def _no_mcp(message: str) -> Explanation | None:
    """Of an answer that the SDK could not make anything of; it says which in English alone."""
    if message == TOO_DEEP:
        return Explanation(
            translatable("its answer is nested too deeply"),
            translatable("Request less at a time, or report it to its author."),
        )
    if message.startswith(_NO_MESSAGE):
        return _unread_body(message.removeprefix(_NO_MESSAGE).strip())
    if not message.startswith(_NO_MCP):
        return None
    kind = message.removeprefix(_NO_MCP).partition(";")[0].strip()
    return Explanation(not_mcp_words(kind))


def _unread_body(why: str) -> Explanation:
    """Of an answer that was not read to its end, or is JSON but nothing of MCP."""
    if why == TOO_LARGE:
        limit = MAX_LINE_BYTES // 1_000_000
        return Explanation(
            translatable("its address answered with more than {limit} MB", limit=limit),
            translatable("Request less at a time, or report it to its author."),
        )
    if why == UNKNOWN_CODING:
        return Explanation(
            translatable("its address uses a compression that was not requested"),
            translatable("Configure it to use gzip or no compression."),
        )
    if why == DAMAGED:
        return Explanation(
            translatable("its address answered with data that cannot be decompressed")
        )
    return Explanation(translatable("its address answered with JSON that is not an MCP message"))


def not_mcp_words(kind: str) -> str:
    """What to say of an answer of this media type, which is none of a server's."""
    if not kind:
        return translatable("its address answered without content")
    if kind == "text/html":
        return translatable("its address answered with a web page, not as an MCP server")
    return translatable(
        "its address answered with {kind}, not as an MCP server",
        kind=plain(kind)[:MAX_SHOWN_LENGTH],
    )


_WRONG_LOGIN = ("407", "401")
_LOOK_AT_LOGIN = translatable("Check the name and the password in the address of the proxy.")


def _tls(cause: BaseException) -> Explanation | None:
    error: BaseException | None = cause
    while error is not None and not isinstance(error, ssl.SSLError):
        error = error.__cause__ or error.__context__
    if isinstance(error, ssl.SSLCertVerificationError):
        words = translatable(
            "its certificate is not trusted ({reason})", reason=shorten(error.verify_message)
        )
        return Explanation(words, _certificate_remedy(error.verify_code))
    if error is None:
        return None
    if error.reason in _PLAIN_HTTP:
        return Explanation(
            translatable("the server at its address does not use TLS"),
            translatable("If it uses plain HTTP, change its URL to http://."),
        )
    return Explanation(
        translatable("no TLS connection to its address ({reason})", reason=shorten(str(error)))
    )


def _certificate_remedy(code: int) -> str:
    if code == _EXPIRED:
        return translatable("The operator of the server has to renew its certificate.")
    if code in _OTHER_NAMES:
        return translatable("Use the host name of the certificate in its URL.")
    if code in _STRICT:
        return translatable(
            "The certificate violates a rule that Python checks from version 3.13 on. "
            "Its issuer has to replace it."
        )
    return translatable(
        'If you trust its issuer, set the file with the issuer\'s certificate: "tls": {{"ca": …}}.'
    )


def _proxy(cause: httpx2.TransportError, url: str) -> Explanation | None:
    proxy = proxy_for(url) if url else ""
    if not proxy or not isinstance(
        cause, httpx2.ProxyError | httpx2.ConnectError | httpx2.ConnectTimeout
    ):
        return None
    what = shorten(str(cause)) or type(cause).__name__
    if isinstance(cause, httpx2.ProxyError):
        words = translatable(
            "the proxy {proxy} refused to connect to it ({what})",
            proxy=shown_proxy(proxy),
            what=what,
        )
        if what.startswith(_WRONG_LOGIN):
            return Explanation(words, _LOOK_AT_LOGIN)
    else:
        words = translatable(
            "the proxy {proxy} did not answer ({what})", proxy=shown_proxy(proxy), what=what
        )
    return Explanation(words, LOOK_AT_PROXY)


def _connection(cause: httpx2.TransportError, url: str) -> Explanation:
    what = shorten(str(cause))
    if isinstance(cause, httpx2.ConnectError):
        return Explanation(
            translatable(
                "nothing answers at its address ({what})", what=what or "connection refused"
            )
        )
    words = translatable(
        "the connection to its address broke ({what})", what=what or type(cause).__name__
    )
    if isinstance(cause, httpx2.RemoteProtocolError) and url.lower().startswith("http://"):
        # What a server that serves TLS does with plain HTTP; nothing tells it from other faults.
        return Explanation(words, translatable("If it uses TLS, change its URL to https://."))
    return Explanation(words)
