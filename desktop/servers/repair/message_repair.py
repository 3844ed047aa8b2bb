"""Repairs JSON-RPC messages that the SDK's model refuses: the envelope, never what is in it.

Called only for what was refused, so a good message costs nothing. A result that is not an object
becomes an error at once, because nobody could wait for anything better. Must not guess: what is not
clearly a message stays noise. Source: JSON-RPC 2.0, sections 4 to 6; MCP 2025-03-26, batching.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.servers.message_log import members_around
from desktop.servers.repair.oddities import report_oddity

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

MAX_BATCH = 1_000
"""Messages taken of one batch."""
MAX_LEVELS = 100
"""Levels of a message that are read where it has too many."""
_MAX_CUT: Final = 4_000_000
"""Bytes of a message in which what is too deep is cut out: a second's work."""
_LISTS: Final = compile_later(
    rb'"(tools|prompts|resources|resourceTemplates)"[ \t\r\n]*+:[ \t\r\n]*+\['
)
_LISTS_WITHIN: Final = 4_096
_ENTRY_LEVEL: Final = 4
"""The message, its result, the list, an entry of it."""
_MARKS: Final = compile_later(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
MAX_QUOTED = 300
"""Characters of a result that is quoted because it is none."""
TOO_DEEP: Final = "the answer is nested too deeply to be read"
DAMAGED: Final = "the answer is damaged, or has a number of thousands of digits: it cannot be read"
_BOM: Final = "\ufeff"
_SURROGATE: Final = compile_later("[\ud800-\udfff]")
_NOTIFICATION = "notifications/"
_NOISE: Final = "notifications/noise"
"""No notification of MCP: the client passes over those that it does not know."""
_MESSAGE: Final = "JSON-RPC"


class JsonReader(Protocol):
    """`validate_json` of the SDK's adapter for messages."""

    def __call__(self, data: str | bytes, /, *, by_name: bool | None = None) -> JSONRPCMessage: ...


def repairing_messages(read: JsonReader) -> JsonReader:
    """The SDK's reader of one message, after which a repaired message is accepted in its place.

    Of a stream of events, one that is not a message costs itself alone: the SDK would take it for
    the answer, and stop reading. One that begins like a message is the answer, but damaged.
    """

    def read_or_repair(data: str | bytes, /, *, by_name: bool | None = None) -> JSONRPCMessage:
        try:
            return read(data, by_name=by_name)
        except ValidationError:
            text = data if isinstance(data, str) else data.decode("utf-8", "replace")
            try:
                value = load_json(text)
                messages = repair_messages(value)
            except RecursionError:
                value, messages = None, read_deep(text.encode(errors="replace"))
            if not messages:
                # A body (bytes) is all that whoever waits will get; after an event comes another.
                if isinstance(data, bytes) or (value is None and text.lstrip()[:1] == "{"):
                    raise
                words = translatable("an event is not a message: {text}", text=quoted(text))
                report_oddity(_MESSAGE, words)
                return JSONRPCNotification(jsonrpc="2.0", method=_NOISE)
            answers = (one for one in messages if isinstance(one, JSONRPCResponse | JSONRPCError))
            return next(answers, messages[0])

    return read_or_repair


def load_json(text: str) -> Any:
    """The object or the list in `text`, whatever its encoding does wrong; None where it is none.

    Raises:
        RecursionError: it is nested too deeply.
    """
    text = text.removeprefix(_BOM).strip()
    if text[:1] not in {"{", "["}:
        return None
    try:
        value = json.loads(text)
        if "\\u" in text:
            # Half a surrogate pair is valid JSON: Python writes it of a strange file name.
            value = json.loads(_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))
    except ValueError:
        return None
    return value


def without_deep_parts(text: bytes) -> tuple[bytes, list[int]]:
    """JSON in which each object below `MAX_LEVELS` is an empty one, in a schema: anything.

    Also the numbers, from 0, of the objects at the level of a list's entries in which one was.
    """
    parts: list[bytes] = []
    odd: list[int] = []
    level, entry, kept = 0, -1, 0
    for mark in _MARKS.finditer(text):
        letter = mark[0]
        if letter in {b"{", b"["}:
            level += 1
            if level == _ENTRY_LEVEL - 1 and letter == b"[":
                entry = -1
            entry += level == _ENTRY_LEVEL and letter == b"{"
            if level == MAX_LEVELS + 1:
                parts.append(text[kept : mark.start()])
                kept = len(text)
        elif letter in {b"}", b"]"}:
            level -= 1
            if level == MAX_LEVELS:
                parts.append(b"{}" if letter == b"}" else b"[]")
                kept = mark.end()
                odd += [] if odd[-1:] == [entry] else [entry]
    return b"".join((*parts, text[kept:])), odd


def read_deep(body: bytes) -> list[JSONRPCMessage]:
    """The message of a list with entries that are too deep, cut there; an error in any other case.

    One schema of 500 levels costs itself, not the server.
    """
    method = _LISTS.search(body, 0, _LISTS_WITHIN)
    if method is None or len(body) > _MAX_CUT:
        return refuse(body, TOO_DEEP)
    cut, odd = without_deep_parts(body)
    try:
        value = load_json(cut.decode("utf-8", "replace"))
    except RecursionError:
        value = None
    message = _repaired(value)
    if not isinstance(message, JSONRPCResponse):
        return refuse(body, TOO_DEEP)
    kind = method[1].decode()
    entries = cast("list[Any]", message.result.get(kind) or [])
    names = [cast("dict[str, Any]", each).get("name") for each in entries if isinstance(each, dict)]
    where = "resources/templates" if kind == "resourceTemplates" else kind
    report_deep_parts(f"{where}/list", [names[one] if one < len(names) else one for one in odd])
    return [message]


def report_deep_parts(method: str, names: list[Any]) -> None:
    """Say which entries of a list were cut, by their names, or their numbers from 0."""
    for name in names[:MAX_BATCH]:
        words = translatable(
            "{name}: what is nested deeper than {levels} levels is read as anything",
            name=quoted(name, 100) if isinstance(name, str) else f"#{name + 1}",
            levels=MAX_LEVELS,
        )
        report_oddity(method, words)


def refuse(body: bytes, words: str) -> list[JSONRPCMessage]:
    """An error for who waits for this answer, which cannot be read; empty where it is none."""
    try:
        members = members_around(body.strip(), may_be_cut=True)
    except ValueError:
        return []
    message_id = _whole(members.get("id"))
    is_answer = "result" in members or "error" in members
    if not is_answer or isinstance(message_id, bool) or not isinstance(message_id, int | str):
        return []
    error = ErrorData(code=INTERNAL_ERROR, message=words)
    return [JSONRPCError(jsonrpc="2.0", id=message_id, error=error)]


def repair_messages(value: Any) -> list[JSONRPCMessage]:
    """The messages in a JSON value that is not one by itself; empty where it holds none."""
    if not isinstance(value, list):
        message = _repaired(value)
        return [] if message is None else [message]
    parts = cast("list[Any]", value)
    messages = [_repaired(part) for part in parts[:MAX_BATCH]]
    found = [message for message in messages if message is not None]
    if found:
        report_oddity(_MESSAGE, translatable("it sends messages in batches"))
    return found


def quoted(value: Any, limit: int = MAX_QUOTED) -> str:
    """A value as JSON on one line, cut at `limit` characters."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = "…"
    return text if len(text) <= limit else f"{text[:limit]} …"


def _repaired(value: Any) -> JSONRPCMessage | None:
    if not isinstance(value, dict):
        return None
    given = cast("dict[str, Any]", value)
    # First as it is: only its encoding was wrong, or it came in a batch.
    return _validated(given) or _validated(_mended(given))


def _validated(message: dict[str, Any] | None) -> JSONRPCMessage | None:
    if message is None:
        return None
    try:
        return jsonrpc_message_adapter.validate_python(message, by_name=False)
    except ValidationError:
        return None


def _mended(given: dict[str, Any]) -> dict[str, Any] | None:
    """The members that make a message, each of the right type; None where it is not one."""
    method: object = given.get("method")
    if isinstance(method, str):
        return _mended_call(given, method)
    if "id" not in given or not ("result" in given or "error" in given):
        return None
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": _whole(given["id"])}
    _note_version(given)
    if given.get("error") is not None:
        return answer | {"error": _mended_error(given["error"])}
    result: object = given.get("result")
    if isinstance(result, dict):
        return answer | {"result": result}
    words = f"its result is not an object: {quoted(result)}"
    return answer | {"error": {"code": INVALID_REQUEST, "message": words}}


def _mended_call(given: dict[str, Any], method: str) -> dict[str, Any] | None:
    """A request or notification; other people's logs have a `method`, too (GET), and stay noise."""
    if given.get("jsonrpc") != "2.0" and not method.startswith(_NOTIFICATION):
        return None
    _note_version(given)
    call: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if not method.startswith(_NOTIFICATION) and given.get("id") is not None:
        call["id"] = _whole(given["id"])
    params: object = given.get("params")
    if isinstance(params, dict):
        return call | {"params": params}
    if params is not None:
        report_oddity(method, translatable("params is not an object"))
    return call


def _mended_error(error: Any) -> dict[str, Any]:
    """Whatever was given as an error: its words are kept."""
    report_oddity(_MESSAGE, translatable("its errors lack a code or a message"))
    if not isinstance(error, dict):
        words = error if isinstance(error, str) else quoted(error)
        return {"code": INTERNAL_ERROR, "message": words}
    members = cast("dict[str, Any]", error)
    code, words = members.get("code"), members.get("message")
    mended = {
        "code": _code(code),
        "message": words if isinstance(words, str) else quoted(members),
    }
    return mended | ({"data": members["data"]} if "data" in members else {})


def _code(code: Any) -> int:
    if isinstance(code, bool) or not isinstance(code, int | float | str):
        return INTERNAL_ERROR
    try:
        return int(code)
    except (ValueError, OverflowError):
        return INTERNAL_ERROR


def _whole(number: Any) -> Any:
    """An id as it was sent: some libraries write every number as a float."""
    if isinstance(number, float) and number.is_integer():
        report_oddity(_MESSAGE, translatable("it writes ids as {id}", id=repr(number)))
        return int(number)
    return number


def _note_version(given: dict[str, Any]) -> None:
    if given.get("jsonrpc") != "2.0":
        report_oddity(_MESSAGE, translatable('its messages lack "jsonrpc": "2.0"'))
