"""Converts a call to a row of the database, bounded and without secrets, and back.

Runs in the thread that writes, never on the loop. Must not touch the database.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.history.records import DONE, Record, Summary
from desktop.redaction.arguments import redact_arguments, replace_values
from desktop.redaction.redactor import Redaction
from desktop.values.json_schema import dump_json
from desktop.values.spilled import json_size
from desktop.values.tool_types import Content, ErrorCode, ToolError, ToolResult, ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.history.records import FinishedCall
    from desktop.values.spilled import ReadableText


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


class Column(NamedTuple):
    """One value of a call in the table of calls.

    `field` is where a `Summary` has it, as `read` makes it of the value; empty for nowhere. `older`
    is what a call of a file has that was written before there was this column.
    """

    name: str
    type: type[str | int | float]
    field: str
    read: Callable[[Any], object] | None = None
    older: str | float | None = None

    def of(self, row: Mapping[str, Any]) -> str | int | float:
        """The value in a row of any version."""
        value: Any = row[self.name] if self.older is None else row.get(self.name, self.older)
        return self.type(value)


COLUMNS: Final = (
    Column("call_id", str, "call_id"),
    Column("key", str, "key"),
    Column("at", float, "at", _moment),
    Column("duration", float, "duration"),
    Column("origin", str, "origin"),
    Column("outcome", str, "outcome"),
    Column("short", str, "arguments"),
    Column("message", str, "message"),
    Column("kind", str, "kind", older="tool"),
    Column("model", str, "model", older=""),
    Column("approval_wait", float, "approval_wait", older=0.0),
)
"""What is said of a call, in the order of its checksum; a new one also has a value in `encode`."""
COUNTED: Final = (Column("media", int, "has_media", bool), Column("size", int, ""))
"""What is counted when it is written."""
_SHOWN: Final = tuple(
    (each.name, each.field, each.read) for each in (*COLUMNS, *COUNTED) if each.field
)


class HistoryLimits(Struct, frozen=True):
    """What the history may take. Sizes are in bytes (of text: characters)."""

    calls: int = 10_000
    total: int = 200_000_000
    """Of all calls with their results, media and the text that is searched."""
    days: int = 0
    """Days that a call is kept; 0: for as long as there is room."""
    text: int = 1_000_000
    """Of one output; the same for arguments, structured content and `_meta`, each."""
    media: int = 4_000_000
    """Of all images, sounds and files of one result together."""
    pending: int = 64_000_000
    """What may wait for the disk; calls beyond are not recorded, and that is said."""
    searched: int = 8_000
    """Characters of an output that can be found, and of the arguments."""


_NOT_JSON = (RecursionError, TypeError, ValueError)
_SHORT = 300
"""Characters of arguments and of a message that a list gets."""


_ROW = 300
"""Bytes that are counted for the columns of a call that lists show."""
_MAX_MEDIA = 10_000
"""Pictures and sounds that are kept of one result."""


class CallRow(Struct):
    """One call as columns: what lists show, the rest, what is searched, `media` by position."""

    summary: dict[str, Any]
    contents: dict[str, Any]
    text: str
    media: dict[int, bytes] = field(default_factory=dict[int, bytes])

    @property
    def size(self) -> int:
        """Roughly the bytes that the call takes in the file."""
        parts = len(self.contents["arguments"]) + len(self.contents["body"]) + len(self.text)
        return _ROW + parts + sum(map(len, self.media.values()))


def encode(finished: FinishedCall, limits: HistoryLimits) -> CallRow:
    """The row of a call; what does not fit `limits` is cut, with its true size noted."""
    return _Encoder(finished, limits).row()


class _Encoder:
    def __init__(self, finished: FinishedCall, limits: HistoryLimits) -> None:
        self._call, self._result, self._schema = finished.call, finished.result, finished.schema
        self._limits, self._kind = limits, finished.kind
        self._cut: dict[str, int] = {}
        self._media: dict[int, bytes] = {}
        self._media_size = 0
        self._known = finished.known
        self._redaction = Redaction(finished.known)

    def row(self) -> CallRow:
        result, call = self._result, self._call
        arguments, places = self._arguments()
        output, error = self._text("output", result.readable_output), result.error
        message = self._text("error", error.message) if error is not None else ""
        key = _plain(call.key if self._is_name else self._redaction.text(call.key))
        started = result.timestamp - timedelta(seconds=result.execution_time)
        summary: dict[str, Any] = {
            "call_id": _plain(call.call_id),
            "key": key,
            "at": started.timestamp(),
            "duration": float(result.execution_time),
            "origin": call.origin,
            "outcome": error.code.value if error is not None else DONE,
            "short": _plain(arguments[:_SHORT]),
            "message": _plain(message[:_SHORT]),
            "kind": self._kind,
            "model": _plain(call.model[:_SHORT]),
            "approval_wait": float(result.approval_wait),
        }
        contents: dict[str, Any] = {
            "arguments": arguments.encode("utf-8", "replace"),
            "body": self._body(output, message).encode("utf-8", "replace"),
            "hidden": json.dumps(places),
            "cut": json.dumps(self._cut),
        }
        text = searched_text(key, arguments, output or message, self._limits)
        return CallRow(summary, contents, text, self._media)

    @property
    def _is_name(self) -> bool:
        """Whether the key is that of a tool; a URI, and what is no tool, may hold a secret."""
        error = self._result.error
        return self._kind == "tool" and (error is None or error.code != ErrorCode.NOT_FOUND)

    def _arguments(self) -> tuple[str, list[Any]]:
        """Their JSON, and where secrets were; first of all, so that these are known."""
        arguments = self._call.arguments
        if not self._fits("arguments", arguments):
            return "null", []
        try:
            hidden = redact_arguments(arguments, self._schema, self._known)
            text = dump_json(replace_values(hidden.arguments, hidden.values), default=dict)
            # The tool may have repeated them.
            self._redaction = Redaction((*self._known, *hidden.values))
        except _NOT_JSON:
            self._cut["arguments"] = json_size(arguments, self._limits.text)
            return "null", []
        return text, hidden.places

    def _body(self, output: str, message: str) -> str:
        result, error, issues = self._result, self._result.error, self._result.output_issues
        body: dict[str, Any] = {
            "success": result.success,
            "output": output,
            "error": error and [error.type, message, error.code.value],
            "content": [self._block(n, block) for n, block in enumerate(result.content)],
            "issues": issues
            and [[i.path, i.layer, self._redaction.text(i.message), i.severity] for i in issues],
            "checked": issues is not None,
            "unchecked": result.is_unchecked,
            "ended": result.timestamp.timestamp(),
        }
        data = {name: self._data(name, value) for name, value in self._nested()}
        try:
            return dump_json(body | data, default=dict)
        except _NOT_JSON:
            written = {name: self._writable(name, value) for name, value in data.items()}
            return dump_json(body | written, default=dict)

    def _writable(self, name: str, value: Any) -> Any:
        try:
            dump_json(value, default=dict)
        except _NOT_JSON:
            self._cut[name] = json_size(value, self._limits.text)
            return None
        return value

    def _nested(self) -> tuple[tuple[str, Any], ...]:
        structured = None
        if (spilled := self._result.spilled) is None:
            structured = self._result.structured
        else:
            self._cut["structured"] = len(spilled.text)
        return ("structured", structured), ("meta", dict(self._result.meta))

    def _data(self, name: str, value: Any) -> Any:
        if not self._fits(name, value):
            return None
        try:
            return self._redaction.value(value)
        except RecursionError:
            self._cut[name] = json_size(value, self._limits.text)
            return None

    def _block(self, position: int, block: Content) -> dict[str, Any]:
        said: dict[str, Any] = {"kind": block.kind, "mime": block.mime}
        said |= {
            "uri": self._redaction.text(block.uri),
            "name": self._redaction.text(block.name),
        }
        # A text that is the whole output is not kept twice.
        text, size = block.readable_text, len(block.readable_data)
        is_output = bool(text) and text == self._result.readable_output
        said["text"] = None if is_output else self._text(f"content[{position}]", text)
        if size:
            fits = self._media_size + size <= self._limits.media and position < _MAX_MEDIA
            if fits:
                self._media[position] = block.data
                self._media_size += size
            else:
                self._cut[f"content[{position}]"] = size
        return {name: value for name, value in said.items() if value != ""}

    def _text(self, name: str, text: ReadableText) -> str:
        if len(text) > self._limits.text:
            self._cut[name] = len(text)
            return self._redaction.cut_text(text[: self._limits.text])
        return self._redaction.text(text[:])

    def _fits(self, name: str, value: Any) -> bool:
        size = json_size(value, self._limits.text)
        if size > self._limits.text:
            self._cut[name] = size
        return size <= self._limits.text


def searched_text(key: str, arguments: str, output: str, limits: HistoryLimits) -> str:
    """What a search looks at: in small letters, the beginnings of what is long."""
    most = limits.searched
    return _plain(f"{key}\n{arguments[:most]}\n{output[:most]}").lower()


def decode(row: Mapping[str, Any], media: Mapping[int, bytes]) -> Record:
    """The call of a row."""
    body: dict[str, Any] = json.loads(row["body"])
    arguments: Any = json.loads(row["arguments"])
    places = cast("list[list[str | int]]", json.loads(row["hidden"]))
    return Record(
        summary=summary_of(row),
        call_id=row["call_id"],
        arguments=arguments,
        result=replace(_result(body, row["duration"], media), approval_wait=row["approval_wait"]),
        hidden=tuple(tuple(place) for place in places),
        cut=json.loads(row["cut"]),
    )


def summary_of(row: Mapping[str, Any]) -> Summary:
    """The short form of a row; needs no body."""
    values: dict[str, Any] = {
        field: read(row[name]) if read else row[name] for name, field, read in _SHOWN
    }
    return Summary(id=row["id"], **values)


def _result(body: dict[str, Any], duration: float, media: Mapping[int, bytes]) -> ToolResult:
    output: str = body["output"]
    error: list[str] | None = body["error"]
    issues: list[list[Any]] = body["issues"] or []
    blocks: list[dict[str, Any]] = body["content"]
    return ToolResult(
        success=body["success"],
        output=output,
        error=ToolError(error[0], error[1], ErrorCode(error[2])) if error else None,
        content=tuple(_content(block, media.get(n, b""), output) for n, block in enumerate(blocks)),
        structured=body["structured"],
        execution_time=duration,
        timestamp=datetime.fromtimestamp(body["ended"], UTC),
        meta=body["meta"] or {},
        output_issues=tuple(_issue(issue) for issue in issues) if body["checked"] else None,
        is_unchecked=body.get("unchecked", False),  # not there in rows of before
    )


def _content(block: dict[str, Any], data: bytes, output: str) -> Content:
    text: Any = block.get("text", "")
    fields: dict[str, Any] = block | {"data": data, "text": output if text is None else text}
    return Content(**fields)


def _issue(issue: list[Any]) -> ValidationIssue:
    path, layer, message, severity = issue
    return ValidationIssue(tuple(path), layer, message, severity)


def _plain(text: str) -> str:
    """Text as SQLite can have it."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")
