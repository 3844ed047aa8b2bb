"""The last JSON-RPC messages between the app and its servers, as they were on the wire.

A ring bounded by count and bytes; nothing is kept beyond it and nothing is written to disk. Every
call waits while a message is recorded, so the bytes are only put aside then; their kind is found
and their secrets are taken out when somebody reads the log. This module is the only way from a body
to a text that a person may see or a file may hold. Must not fail, whatever a server wrote.
Source: JSON-RPC 2.0, sections 4 and 5; MCP specification, basic.
"""

from __future__ import annotations

import json
import time
from collections import deque
from contextvars import ContextVar
from datetime import UTC, datetime
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

from desktop.base.later_patterns import compile_later
from desktop.base.signals import Signal
from desktop.redaction.redactor import Redaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Kind: TypeAlias = Literal["request", "response", "notification", "error", "unreadable"]
MessageId: TypeAlias = str | int

READ_WHOLE = 16 * 1024
"""Bytes up to which a message is simply read: less than a tenth of a millisecond."""
SUBJECT = 200
"""Characters."""
_MEMBER = rb'"(?:jsonrpc|id|method)"\s*+:\s*+(?:"(?:[^"\\]|\\.){0,200}+"|-?\d{1,20}+|null)\s*+'
_HEAD = compile_later(rb"\s*+\{\s*+((?:" + _MEMBER + rb",\s*+)*+)\"(\w{1,20}+)\"\s*+:")
_TAIL = compile_later(rb"((?:,\s*+" + _MEMBER + rb")*)\}\s*+$")
_ENDS = 512
"""Bytes at each end in which the members beside the payload are looked for."""


class MessageHeader(NamedTuple):
    """`kind` with what identifies the message; the method of an answer is its request's.

    `subject` is what a short request is about: the name of its tool or prompt, or a URI.
    """

    kind: Kind
    method: str = ""
    id: MessageId | None = None
    subject: str = ""


UNREADABLE = MessageHeader("unreadable")


def envelope(body: bytes) -> MessageHeader:
    """What `body` is; `unreadable` where it is no single JSON-RPC message."""
    try:
        members = json.loads(body) if len(body) <= READ_WHOLE else members_around(body)
    except (ValueError, RecursionError):
        return UNREADABLE
    if not isinstance(members, dict):
        return UNREADABLE
    return _of(cast("dict[str, Any]", members))


def _of(members: dict[str, Any]) -> MessageHeader:
    if members.get("jsonrpc") != "2.0":
        return UNREADABLE
    given, method = members.get("id"), members.get("method")
    message_id = given if isinstance(given, str | int) else None
    if isinstance(method, str):
        kind: Kind = "request" if message_id is not None else "notification"
        return MessageHeader(kind, method, message_id, _subject(members.get("params")))
    if "error" in members:
        return MessageHeader("error", "", message_id)
    return MessageHeader("response", "", message_id) if "result" in members else UNREADABLE


def _subject(params: Any) -> str:
    if not isinstance(params, dict):
        return ""
    named = cast("dict[str, Any]", params)
    subject = named.get("name", named.get("uri"))
    return subject[:SUBJECT] if isinstance(subject, str) else ""


def members_around(body: bytes, *, may_be_cut: bool = False) -> dict[str, Any]:
    """The members before and after the long one, which is 0: servers write them in either order.

    With `may_be_cut`, of a body that was cut off those before it.

    Raises:
        ValueError: what stands there is not JSON.
    """
    head = _HEAD.match(body[:_ENDS])
    tail = _TAIL.search(body[-_ENDS:])
    if head is None or (tail is None and not may_be_cut):
        return {}
    before, payload = head[1].strip(b", \t\r\n"), head[2]
    after = tail[1].strip(b", \t\r\n") if tail is not None else b""
    members = b",".join(part for part in (before, b'"%s":0' % payload, after) if part)
    return cast("dict[str, Any]", json.loads(b"{%s}" % members))


MAX_MESSAGES = 10_000
"""Messages."""
MAX_BODY_BYTES = 32 * 1024 * 1024
"""Of their bodies together."""
BODY = 64 * 1024
"""Bytes kept of one body; `size` says how long it was."""
UNANSWERED = 1_000
"""Requests of one direction that are remembered until their answer comes."""
MAX_READ_AT_ONCE = 500
"""Messages that are read in one go: a few milliseconds."""

Direction: TypeAlias = Literal["sent", "received"]
current_call: ContextVar[str] = ContextVar("current_call", default="")
"""The id of the call that is being sent, in the task that sends it; empty for all else."""
BY_HAND = "by-hand:"
"""What the id of a request begins with that a person wrote or sent again."""
_PROGRESS = "notifications/progress"


class RecordedMessage(NamedTuple):
    """One message; `moment` is monotonic, `at` since the epoch, `duration` since its request.

    `number` counts all messages of the run; `request` is the number of the one that this answers,
    and `method` and `subject` are then that one's. `body` holds what was on the wire, secrets
    included: show it only through `desktop.servers.message_log`. `call_id` is that of the call that
    it belongs to, its answer and progress included; empty for all that is not part of a call.
    """

    number: int
    server: str
    connection: int
    direction: Direction
    kind: Kind
    method: str
    subject: str
    id: MessageId | None
    size: int
    moment: float
    at: float
    duration: float | None
    request: int | None
    body: bytes
    redaction: Redaction
    call_id: str = ""

    def __repr__(self) -> str:
        return f"<Message {self.number} {self.direction} {self.kind}>"

    @property
    def is_cut(self) -> bool:
        """Whether only the beginning of the body was kept."""
        return self.size > len(self.body)


class _Noted(NamedTuple):
    """A message that nobody has read yet; its envelope only where its body was cut."""

    tap: MessageRecorder
    direction: Direction
    body: bytes
    size: int
    moment: float
    at: float
    envelope: MessageHeader | None
    call_id: str


class MessageLog:
    """The ring of all connections of one app."""

    def __init__(self, kept: int = MAX_MESSAGES, kept_bytes: int = MAX_BODY_BYTES) -> None:
        self.grew: Signal[[]] = Signal()
        """Sent once until somebody asks for what is new: a burst is one piece of news."""
        self.last = 0
        """Number of the latest message; 0 before the first."""
        self.body_limit = BODY
        """Bytes kept of one body from now on."""
        self._kept, self._kept_bytes = kept, kept_bytes
        self._noted: deque[_Noted] = deque()
        self._read: deque[RecordedMessage] = deque()
        self._bytes = 0
        self._is_told = False
        self._connections = count(1)
        self._redactions: dict[str, Redaction] = {}
        self._tokens: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def __len__(self) -> int:
        return len(self._noted) + len(self._read)

    @property
    def first(self) -> int:
        """Number of the oldest message that is kept; beyond `last` while there is none."""
        return self.last + 1 - len(self)

    def tap(self, server: str, secrets: Iterable[str] = ()) -> MessageRecorder:
        """What one new connection tells its messages; `secrets` are known for this server."""
        known = self.redaction(server).secrets
        self._redactions[server] = Redaction(known | frozenset(secrets))
        return MessageRecorder(self, server, next(self._connections))

    def know_tokens(self, server: str, tokens: frozenset[str]) -> None:
        """Hide what a sign-in brought, too: a server may repeat it. The ones before stay hidden.

        Of many renewals the last two are known, so that this does not grow for ever.
        """
        before = self._tokens.get(server, (frozenset(), frozenset()))
        if tokens == before[1]:
            return
        own = self.redaction(server).secrets - before[0]
        self._tokens[server] = before[1], tokens
        self._redactions[server] = Redaction(own | tokens)

    def redaction(self, server: str | None = None) -> Redaction:
        """For what a server said by another way than this, or where any may be spoken of."""
        if server is not None:
            return self._redactions.get(server) or Redaction()
        return Redaction(
            secret for redaction in self._redactions.values() for secret in redaction.secrets
        )

    def after(self, number: int) -> list[RecordedMessage]:
        """The messages kept after the one of this number; `MAX_READ_AT_ONCE` at most.

        Ask again with the last one's number until that is `last`, letting the loop run meanwhile.
        """
        self._is_told = False
        skipped = max(0, number + 1 - self.first)
        while self._noted and len(self._read) < skipped + MAX_READ_AT_ONCE:
            self._read.append(self._next())
        return list(islice(self._read, skipped, skipped + MAX_READ_AT_ONCE))

    def answer_to(self, number: int) -> int | None:
        """The number of the message that answers the one of this number, where it was read."""
        answers = (message.number for message in self._read if message.request == number)
        return next(answers, None)

    def clear(self) -> None:
        """Forget all messages; those to come go on counting."""
        self._noted.clear()
        self._read.clear()
        self._bytes = 0

    def add(self, noted: _Noted) -> None:
        """Keep a message, at the cost of the oldest ones; taps call this."""
        self._noted.append(noted)
        self.last += 1
        self._bytes += len(noted.body)
        while self._bytes > self._kept_bytes or len(self._noted) + len(self._read) > self._kept:
            oldest = self._read.popleft() if self._read else self._noted.popleft()
            self._bytes -= len(oldest.body)
        if not self._is_told:
            self._is_told = True
            self.grew.send()

    def _next(self) -> RecordedMessage:
        number = self.last + 1 - len(self._noted)
        noted = self._noted.popleft()
        return noted.tap.read(number, noted)


class MessageRecorder:
    """Notes the messages of one connection, and knows which answers which."""

    def __init__(self, traffic: MessageLog, server: str, connection: int) -> None:
        self._traffic = traffic
        self._server = server
        self._connection = connection
        # Each side counts its own requests: the same id in both directions is not the same request.
        self._asked: dict[Direction, dict[MessageId, RecordedMessage]] = {
            "sent": {},
            "received": {},
        }

    def note(self, direction: Direction, body: bytes, told: MessageHeader | None = None) -> None:
        """Keep one message; `body` as it is on the wire, without what ends it there.

        Args:
            direction: as the app sees it.
            body: the bytes, which are not looked at unless they are too many to be kept.
            told: what they are, where it is known.
        """
        size = len(body)
        if size > (limit := self._traffic.body_limit):
            told, body = told or envelope(body), body[:limit]
        now, at, call = time.monotonic(), time.time(), current_call.get()
        self._traffic.add(_Noted(self, direction, body, size, now, at, told, call))

    def noise(self, body: bytes) -> None:
        """Keep what was received and is no message."""
        self.note("received", body, UNREADABLE)

    def read(self, number: int, noted: _Noted) -> RecordedMessage:
        """What was noted, under its number; in the order in which it was noted."""
        kind, method, message_id, subject = noted.envelope or envelope(noted.body)
        asker = None
        if kind in {"response", "error"} and message_id is not None:
            asked = self._asked["received" if noted.direction == "sent" else "sent"]
            asker = asked.pop(message_id, None)
        message = RecordedMessage(
            number,
            self._server,
            self._connection,
            noted.direction,
            kind,
            method if asker is None else asker.method,
            subject if asker is None else asker.subject,
            message_id,
            noted.size,
            noted.moment,
            noted.at,
            None if asker is None else noted.moment - asker.moment,
            None if asker is None else asker.number,
            noted.body,
            self._traffic.redaction(self._server),
            self._call_of(noted, method, asker),
        )
        if kind == "request" and message_id is not None:
            self._remember(message, message_id)
        return message

    def _call_of(self, noted: _Noted, method: str, asker: RecordedMessage | None) -> str:
        if asker is not None:
            return asker.call_id
        if noted.direction == "sent":
            return noted.call_id
        if method != _PROGRESS:
            return ""
        asked = self._asked["sent"].get(_progress_token(noted.body))
        return asked.call_id if asked is not None else ""

    def _remember(self, request: RecordedMessage, message_id: MessageId) -> None:
        asked = self._asked[request.direction]
        asked[message_id] = request._replace(body=b"")
        if len(asked) > UNANSWERED:
            del asked[next(iter(asked))]


def _progress_token(body: bytes) -> MessageId:
    """The token of a progress notification, which is the id of its request; empty without one."""
    try:
        token = json.loads(body)["params"]["progressToken"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""
    return token if isinstance(token, str | int) else ""


def pretty(message: RecordedMessage) -> str:
    """The body, indented where it is whole JSON, else as much of its text as was kept."""
    shown = _redacted(message)
    if isinstance(shown, str):
        return shown
    return json.dumps(shown, indent=2, ensure_ascii=False)


def document(message: RecordedMessage) -> dict[str, Any]:
    """What a line of an export says of one message; `at` in ISO 8601, `duration` in seconds.

    `message` is the JSON value; where that is not there, `text` is the beginning of what was.
    """
    body = _redacted(message)
    facts = {
        "number": message.number,
        "at": datetime.fromtimestamp(message.at, UTC).isoformat(timespec="microseconds"),
        "server": message.server,
        "connection": message.connection,
        "direction": message.direction,
        "kind": message.kind,
        "method": message.redaction.text(message.method) or None,
        "id": message.id,
        "size": message.size,
        "duration": message.duration if message.duration is None else round(message.duration, 6),
        "request": message.request,
    }
    told = {name: value for name, value in facts.items() if value is not None}
    return told | ({"text": body} if isinstance(body, str) else {"message": body})


def json_lines(messages: Iterable[RecordedMessage], *, ascii_only: bool = False) -> Iterator[str]:
    """One line a message, each with its newline; `ascii_only` for a terminal, which obeys text."""
    for message in messages:
        yield json.dumps(document(message), ensure_ascii=ascii_only) + "\n"


def _redacted(message: RecordedMessage) -> Any:
    """The JSON value, or a text; a cut one says so at its end."""
    if not message.is_cut and message.kind != "unreadable":
        try:
            # Not a text alone: that would be taken for a body that could not be read.
            if isinstance(value := json.loads(message.body), dict | list):
                return message.redaction.value(value)
        except (ValueError, RecursionError):
            pass
    text = message.body.decode("utf-8", "replace")
    if not message.is_cut:
        return message.redaction.text(text)
    left = message.size - len(message.body)
    return f"{message.redaction.cut_text(text)}… [{left} more bytes were not kept]"
