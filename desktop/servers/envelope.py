"""What kind of JSON-RPC message some bytes are, without reading a long one.

For those who look at the traffic; what a message does is decided by the SDK. Source: JSON-RPC 2.0,
sections 4 and 5.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple, TypeAlias, cast

Kind: TypeAlias = Literal["request", "response", "notification", "error", "unreadable"]
MessageId: TypeAlias = str | int

READ_WHOLE = 16 * 1024
"""Bytes up to which a message is simply read: less than a tenth of a millisecond."""
SUBJECT = 200
"""Characters."""
_MEMBER = rb'"(?:jsonrpc|id|method)"\s*+:\s*+(?:"(?:[^"\\]|\\.){0,200}+"|-?\d{1,20}+|null)\s*+'
_HEAD = re.compile(rb"\s*+\{\s*+((?:" + _MEMBER + rb",\s*+)*+)\"(\w{1,20}+)\"\s*+:")
_TAIL = re.compile(rb"((?:,\s*+" + _MEMBER + rb")*)\}\s*+$")
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
        members = json.loads(body) if len(body) <= READ_WHOLE else _around_payload(body)
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


def _around_payload(body: bytes) -> dict[str, Any]:
    """The members before and after the long one: servers write them in either order."""
    head = _HEAD.match(body[:_ENDS])
    tail = _TAIL.search(body[-_ENDS:])
    if head is None or tail is None:
        return {}
    before, payload, after = head[1].strip(b", \t\r\n"), head[2], tail[1].strip(b", \t\r\n")
    members = b",".join(part for part in (before, b'"%s":0' % payload, after) if part)
    return cast("dict[str, Any]", json.loads(b"{%s}" % members))
