"""The single faults of servers at a URL, and what a person is told of each.

As `faults` for processes: status, headers, session, events and bodies. `told` is part of the error
where the server cannot be connected (`failed`) or the call comes to nothing (`error`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    Group = Literal["status", "header", "session", "events", "body"]


def same(message: Any) -> Any:
    return message


@dataclass(frozen=True)
class HttpFault:
    """What is different from a good answer, to all requests or to those of the method `at`."""

    group: Group
    name: str
    outcome: Literal["fine", "error", "failed"] = "fine"
    told: str = ""
    at: str = ""
    status: tuple[Any, ...] | None = None
    """Status, body, headers and content type in place of an answer."""
    accepted: tuple[Any, ...] = (202,)
    """The same for notifications."""
    others: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, "tuple[Any, ...]"])
    """The same for GET and DELETE."""
    message: Callable[[Any], Any] = same
    body: Callable[[str], bytes] | None = None
    events: Callable[[str], bytes] | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])
    content_type: str = "application/json"
    version: str = "HTTP/1.1"


def refused(status: int, *, at: str = "", told: str = "", body: bytes = b"") -> HttpFault:
    """A status in place of an answer, at every request or in the call alone."""
    outcome = "error" if at else "failed"
    name = f"status-{status}" + ("-call" if at else "")
    return HttpFault("status", name, outcome, told, at, (status, body, None, "text/plain"))


CALL = "tools/call"

STATUS = [
    refused(400, told="400"),
    refused(401, told="401"),
    refused(403, told="403"),
    refused(404, told="404"),
    refused(406, told="406"),
    refused(410, told="410"),
    refused(413, told="413"),
    refused(415, told="415"),
    refused(429, told="429"),
    refused(500, told="500"),
    refused(502, told="502"),
    refused(503, told="503"),
    refused(504, told="504"),
    refused(500, at=CALL, told="500"),
    refused(413, at=CALL, told="413"),
    HttpFault("status", "accepted-200", accepted=(200,)),
    HttpFault("status", "accepted-204", accepted=(204, b"", {"Content-Length": ""})),
    HttpFault("status", "accepted-null", accepted=(200, b"null")),
    HttpFault("status", "accepted-500", accepted=(500,)),
    HttpFault("status", "accepted-page", accepted=(200, b"<html>", None, "text/html")),
    HttpFault("status", "get-404", others={"GET": (404,)}),
    HttpFault("status", "get-500", others={"GET": (500,)}),
    HttpFault("status", "get-json", others={"GET": (200, b"{}")}),
    HttpFault("status", "get-page", others={"GET": (200, b"<html>", None, "text/html")}),
    HttpFault("status", "delete-405", others={"DELETE": (405,)}),
    HttpFault("status", "delete-500", others={"DELETE": (500,)}),
    HttpFault(
        "status",
        "page",
        "failed",
        "answered with a web page",
        status=(200, b"<html>", None, "text/html"),
    ),
    HttpFault("status", "nothing", "failed", "", status=(204, b"", {"Content-Length": ""}, "")),
    HttpFault(
        "status",
        "error-in-400",
        "error",
        "no such city",
        CALL,
        (400, b'{"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "no such city"}}'),
    ),
    HttpFault(
        "status",
        "error-in-500",
        "error",
        "no such city",
        CALL,
        (
            500,
            b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32602, "message": "no such city"}}',
        ),
    ),
]

HEADERS = [
    HttpFault("header", "type-charset", content_type="application/json; charset=utf-8"),
    HttpFault("header", "type-upper", content_type="Application/JSON"),
    HttpFault("header", "type-text", "failed", "text/plain", content_type="text/plain"),
    HttpFault("header", "type-missing", "failed", "", content_type=""),
    HttpFault("header", "gzip", headers={"Content-Encoding": "gzip"}),
    HttpFault("header", "chunked", headers={"Transfer-Encoding": "chunked"}),
    HttpFault("header", "http-1.0", version="HTTP/1.0"),
    HttpFault("header", "extra", headers={"X-Odd": "a" * 2000}),
    HttpFault("header", "length-missing", headers={"Content-Length": ""}),
    HttpFault("header", "latin-1-value", headers={"X-Name": "zw\xf6lf"}),
]

SESSIONS = [
    HttpFault("session", "session-none", headers={"Mcp-Session-Id": ""}, at="initialize"),
    HttpFault("session", "session-everywhere", headers={"Mcp-Session-Id": "s-1"}),
    HttpFault("session", "session-changes", headers={"Mcp-Session-Id": "s-2"}, at="tools/list"),
    HttpFault("session", "session-long", headers={"Mcp-Session-Id": "x" * 1000}, at="initialize"),
]


def event(data: str, before: str = "event: message\n", end: str = "\n\n") -> bytes:
    return f"{before}data: {data}{end}".encode()


EVENTS = [
    HttpFault("events", "event-plain", events=event),
    HttpFault("events", "event-no-name", events=lambda data: event(data, "")),
    HttpFault("events", "event-no-space", events=lambda data: f"data:{data}\n\n".encode()),
    HttpFault(
        "events", "event-crlf", events=lambda data: event(data, "event: message\r\n", "\r\n\r\n")
    ),
    HttpFault("events", "event-cr", events=lambda data: event(data, "event: message\r", "\r\r")),
    HttpFault("events", "event-comment", events=lambda data: event(data, ": ping\n\n")),
    HttpFault(
        "events", "event-priming", events=lambda data: event(data, "id: 1\ndata:\n\nid: 2\n")
    ),
    HttpFault("events", "event-retry-odd", events=lambda data: event(data, "retry: soon\n")),
    HttpFault("events", "event-field-odd", events=lambda data: event(data, "colour: red\n")),
    HttpFault("events", "event-bom", events=lambda data: b"\xef\xbb\xbf" + event(data)),
    HttpFault(
        "events", "event-spread", events=lambda data: event(data.replace(', "id"', ',\ndata: "id"'))
    ),
    HttpFault(
        "events", "event-other-first", events=lambda data: event("x", "event: ping\n") + event(data)
    ),
    HttpFault(
        "events",
        "event-noise-first",
        at=CALL,
        events=lambda data: event("x") + event(data),
    ),
    HttpFault(
        "events",
        "event-object-first",
        at=CALL,
        events=lambda data: event('{"type": "ping"}') + event(data),
    ),
    HttpFault(
        "events",
        "event-cut",
        "error",
        "Failed to parse",
        at=CALL,
        events=lambda data: event(data[:-5]),
    ),
    HttpFault(
        "events", "event-unended", "error", "", at=CALL, events=lambda data: event(data, end="\n")
    ),
    HttpFault("events", "event-none", "error", "", at=CALL, events=lambda _: b": nothing\n\n"),
    HttpFault(
        "events",
        "event-id-float",
        at=CALL,
        events=event,
        message=lambda m: m | {"id": float(m["id"])},
    ),
    HttpFault("events", "event-id-other", at=CALL, events=event, message=lambda m: m | {"id": 77}),
    HttpFault(
        "events",
        "event-result-text",
        "error",
        'its result is not an object: "fine"',
        CALL,
        events=event,
        message=lambda m: m | {"result": "fine"},
    ),
]

BODIES = [
    HttpFault("body", "body-bom", body=lambda text: b"\xef\xbb\xbf" + text.encode()),
    HttpFault("body", "body-lines", body=lambda text: b"\r\n" + text.encode() + b"\r\n\r\n"),
    HttpFault("body", "body-batch", body=lambda text: b"[" + text.encode() + b"]"),
    HttpFault(
        "body", "body-latin-1", body=lambda text: text.replace('"ok"', '"ok"').encode("latin-1")
    ),
    HttpFault("body", "body-id-float", message=lambda m: m | {"id": float(m["id"])}),
    HttpFault("body", "body-id-text", message=lambda m: m | {"id": str(m["id"])}),
    HttpFault("body", "body-no-version", message=lambda m: {"id": m["id"], "result": m["result"]}),
    HttpFault("body", "body-error-null", message=lambda m: m | {"error": None}),
    HttpFault(
        "body",
        "body-result-text",
        "error",
        'its result is not an object: "fine"',
        CALL,
        message=lambda m: m | {"result": "fine"},
    ),
    HttpFault(
        "body",
        "body-result-null",
        "error",
        "its result is not an object: null",
        CALL,
        message=lambda m: m | {"result": None},
    ),
    HttpFault(
        "body",
        "body-no-content",
        at=CALL,
        message=lambda m: m | {"result": {"structuredContent": "ok"}},
    ),
    HttpFault(
        "body",
        "body-error-text",
        "error",
        "no luck",
        CALL,
        message=lambda m: {"jsonrpc": "2.0", "id": m["id"], "error": "no luck"},
    ),
    HttpFault(
        "body",
        "body-error-no-code",
        "error",
        "no luck",
        CALL,
        message=lambda m: {"jsonrpc": "2.0", "id": m["id"], "error": {"message": "no luck"}},
    ),
    HttpFault("body", "body-empty", "error", "", CALL, body=lambda _: b""),
    HttpFault("body", "body-cut", "error", "", CALL, body=lambda text: text.encode()[:-5]),
    HttpFault("body", "body-not-json", "error", "", CALL, body=lambda _: b"fine"),
    HttpFault("body", "body-other-json", "failed", "", body=lambda _: b'{"hello": "world"}'),
]

HTTP = [*STATUS, *HEADERS, *SESSIONS, *EVENTS, *BODIES]
BY_NAME = {fault.name: fault for fault in HTTP}
