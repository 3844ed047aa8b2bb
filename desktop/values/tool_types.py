"""The plain types that servers, tools, agents, history and windows share.

A tool as its server declared it, a call of it, the steps and the result of a call, what a
validation found, and who may approve a call. They only hold values: nothing here reads, sends or
decides. Source: MCP specification 2025-11-25 and 2026-07-28, server/tools.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final, Literal, Protocol, TypeAlias, cast

from msgspec import Struct, field

from desktop.values.packed_json import UnpackedField
from desktop.values.spilled import ReadableText, SpilledBytes, SpilledJson

JsonPath: TypeAlias = tuple[str | int, ...]
"""Names and indices from the root of a JSON value: `("items", 0, "name")`, empty for the whole."""
_PLAIN_NAME: Final = re.compile(r'[^\s.\[\]"]+')


def json_path(path: JsonPath) -> str:
    """A path as a person writes it, without the root: `items[0].name`; empty for the whole."""
    text = ""
    for part in path:
        text = join_json_path(text, part)
    return text


def join_json_path(path: str, part: str | int) -> str:
    """`path` one step further: a name that is not a plain word is quoted, `a["b.c"]`."""
    if isinstance(part, int):
        return f"{path}[{part}]"
    if not _PLAIN_NAME.fullmatch(part):
        return f"{path}[{json.dumps(part, ensure_ascii=False)}]"
    return f"{path}.{part}" if path else part


Layer: TypeAlias = Literal["type", "format", "range", "rule"]
"""The kind of value, the form of a text, limits and choices, and what fields ask of each other."""


NOT_FINITE: Final = "notFinite"
"""Code of the warning that a result had numbers that JSON has not."""


class ValidationIssue(Struct, frozen=True):
    """`path` is from the root of the arguments (`("items", 0, "name")`), empty for the whole.

    `message` is an English sentence part that reads after the place, translatable where it is ours.
    It never contains the value that was given: that may be secret. `code` is the same for a
    program, stable: the schema's keyword (`required`, `minimum`), or `false` (a schema that allows
    nothing), `looseFormat`, `undeclared`, `oddSchema` (the tool's fault, not the value's),
    `missingOutput`, `notFinite` (NaN or Infinity), `json` (no JSON at all), `comparison` (a
    person's rule), `ruleFailed`; empty where the words are somebody else's. Errors stop a call,
    warnings do not.
    """

    path: JsonPath
    layer: Layer
    message: str
    severity: Literal["error", "warning"] = "error"
    code: str = ""

    @property
    def where(self) -> str:
        """The path as text: `items[0].name`."""
        return json_path(self.path)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.path else self.message

    def to_json(self) -> dict[str, Any]:
        """What `mcp-desktop call --json` prints of it."""
        return {
            "path": list(self.path),
            "layer": self.layer,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
        }


JsonObject: TypeAlias = Mapping[str, Any]
"""JSON Schema and arguments: the only places where `Any` is allowed."""

JsonSchema: TypeAlias = Mapping[str, Any]
"""A JSON Schema that is an object; `true` and `false` are schemas, too, but need no alias."""

EMPTY: JsonObject = {}


class Annotations(Struct, frozen=True):
    """The server's hints about a tool: untrusted, and None where it says nothing."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


NO_ANNOTATIONS: Final = Annotations()


class Metadata(Struct, frozen=True):
    """What a server may add to a tool; read from `_meta` where it is there, kept whole in `raw`."""

    version: str = ""
    author: str = ""
    tags: tuple[str, ...] = ()
    raw: JsonObject = field(default_factory=dict[str, Any])


NO_METADATA: Final = Metadata()


class ToolDefinition(Struct, frozen=True):
    """One tool of one server, as the server declared it.

    `input_schema` and `output_schema` are the server's own objects and are never changed: the form
    and the validation use them as they are, converters work on copies. Either may be given as a
    `PackedJson`, and is unpacked where somebody looks at it. `problems` says what of the
    declaration breaks the protocol, and is empty for most; those parts are left out, and the tool
    can be called all the same. Two are compared without unpacking what is packed in both.
    """

    server: str
    name: str
    title: str = ""
    description: str = ""
    category: str = ""
    input_schema: JsonObject = field(default_factory=dict[str, Any])
    output_schema: JsonObject | None = None
    annotations: Annotations = NO_ANNOTATIONS
    icons: tuple[JsonObject, ...] = ()
    metadata: Metadata = NO_METADATA
    execution: JsonObject = field(default_factory=dict[str, Any])
    problems: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """`server:tool`, unique in a registry; split at the first colon, server names have none."""
        return f"{self.server}:{self.name}"

    @property
    def label(self) -> str:
        """What a person reads: the title, or the name."""
        return self.title or self.name

    @property
    def app_uri(self) -> str:
        """The `ui://` resource that shows this tool's results; empty where there is none."""
        raw = self.metadata.raw
        for uri in (_ui_of(raw).get("resourceUri"), raw.get("ui/resourceUri")):
            if isinstance(uri, str) and uri.startswith("ui://") and len(uri) <= MAX_APP_URI:
                return uri
        return ""

    @property
    def is_for_models(self) -> bool:
        """Whether a model may be offered it; a server may keep a tool for its own apps."""
        return "model" in _visibility(self.metadata.raw)

    @property
    def is_for_apps(self) -> bool:
        """Whether an app of the same server may call it."""
        return "app" in _visibility(self.metadata.raw)


MAX_APP_URI: Final = 2_000
"""Characters of the address of an app."""
_EVERYBODY: Final = ("model", "app")


def _ui_of(raw: JsonObject) -> JsonObject:
    """What the extension io.modelcontextprotocol/ui says of a tool (specification 2026-01-26)."""
    ui = raw.get("ui")
    return cast("JsonObject", ui) if isinstance(ui, Mapping) else EMPTY


def _visibility(raw: JsonObject) -> tuple[object, ...]:
    """Who may call a tool; whoever writes no list at all means everybody."""
    given = _ui_of(raw).get("visibility")
    return tuple(cast("list[object]", given)) if isinstance(given, list) else _EVERYBODY


_INPUT, _OUTPUT = (
    UnpackedField(ToolDefinition.input_schema),
    UnpackedField(ToolDefinition.output_schema),
)
type.__setattr__(ToolDefinition, "input_schema", _INPUT)
type.__setattr__(ToolDefinition, "output_schema", _OUTPUT)


class ErrorCode(StrEnum):
    """Why a call has no data; stable, for programs. In brackets what the terminal exits with."""

    NOT_FOUND = "tool_not_found"
    """No tool, or more than one, has this name; nothing was sent (2)."""
    INVALID_ARGUMENTS = "invalid_arguments"
    """The arguments are not JSON or do not fit the tool's schema or rules; nothing was sent (2)."""
    DENIED = "denied"
    """Whoever was asked said no; nothing was sent (2)."""
    TOOL_ERROR = "tool_error"
    """The tool ran and reported an error (1)."""
    UNREACHABLE = "server_unreachable"
    """The server is not there, or went away in the call, which may have had effects (3)."""
    TIMEOUT = "timeout"
    """No answer and no progress within the limit; cancelled at the server (4)."""
    CANCELLED = "cancelled"
    """Whoever called gave it up; cancelled at the server where it was sent already (130)."""
    PROTOCOL = "protocol_error"
    """The server answered with an error of its own, or with what is no result (1)."""
    INTERNAL = "internal_error"
    """A fault of this app, or of a tool that lives in it; the log has more (1)."""


class ToolError(Struct, frozen=True):
    """`type` is the class of the cause, `message` a sentence for a person, `code` for a program."""

    type: str
    message: str
    code: ErrorCode


ContentKind: TypeAlias = Literal["text", "image", "audio", "resource", "link"]


class Content(Struct, frozen=True):
    """One block of a result: `text` for text, `data` (decoded) for media, `uri` for resources.

    `text` and `data` may be on disk, and are read whole where somebody asks for them: who needs a
    part takes `readable_text` and `readable_data`.
    """

    kind: ContentKind
    text: str = ""
    data: bytes = b""
    mime: str = ""
    uri: str = ""
    name: str = ""

    @property
    def readable_text(self) -> ReadableText:
        """`text`, of which no more is read than is asked for."""
        return cast("ReadableText", _TEXT.held(self))

    @property
    def readable_data(self) -> bytes | SpilledBytes:
        """`data`, of which no more is read than is asked for."""
        return cast("bytes | SpilledBytes", _DATA.held(self))

    def to_json(self) -> dict[str, Any]:
        """What the terminal prints of it with `--json`; media as their size."""
        fields = {"type": self.kind, "text": self.text, "mimeType": self.mime, "uri": self.uri}
        shown: dict[str, Any] = {key: value for key, value in fields.items() if value}
        size = len(self.readable_data)
        return shown | ({"bytes": size} if size else {})


_TEXT, _DATA = UnpackedField(Content.text), UnpackedField(Content.data)
type.__setattr__(Content, "text", _TEXT)
type.__setattr__(Content, "data", _DATA)


class ToolResult(Struct, frozen=True):
    """The wrapped result of one call. `output` is its content as text (`flatten_content`).

    `execution_time` is in seconds from sending to the end, however it ended, and 0 for a call that
    was never sent; `approval_wait` has the seconds that it waited for a person's approval before.
    `timestamp` is the moment the call ended, in UTC. `output_issues` is the verdict of the tool's
    `outputSchema` on `structured`: None where nothing was checked, empty where it fits; an
    error among them says that it does not, a warning that it could not be checked whole, or had
    numbers that JSON has not. Output
    that does not fit is a success all the same: its data is there, and the finding beside it.

    `is_unchecked` says that the arguments were sent without a validation, as a person wanted it.

    `output` and `structured` may be on disk as the parts of `Content`, with `readable_output` and
    `spilled` for who needs no more than a part of them.
    """

    success: bool
    output: str = ""
    error: ToolError | None = None
    content: tuple[Content, ...] = ()
    structured: Any = None
    execution_time: float = 0.0
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    meta: JsonObject = field(default_factory=dict[str, Any])
    output_issues: tuple[ValidationIssue, ...] | None = None
    is_unchecked: bool = False
    approval_wait: float = 0.0

    @property
    def is_error(self) -> bool:
        return not self.success

    def completed(
        self, execution_time: float, approval_wait: float, *, is_unchecked: bool
    ) -> ToolResult:
        """With what is known at the end of a call; `dataclasses.replace` takes ten times as long.

        Not once it is on disk, as a copy would be in memory.
        """
        return ToolResult(
            self.success, self.output, self.error, self.content, self.structured, execution_time,
            self.timestamp, self.meta, self.output_issues, is_unchecked, approval_wait,
        )  # fmt: skip

    @property
    def readable_output(self) -> ReadableText:
        """`output`, of which no more is read than is asked for."""
        return cast("ReadableText", _OUTPUT_TEXT.held(self))

    @property
    def spilled(self) -> SpilledJson | None:
        """The structured content where it is on disk."""
        held = _STRUCTURED.held(self)
        return held if isinstance(held, SpilledJson) else None

    def to_json(self) -> dict[str, Any]:
        """The shape that `mcp-desktop call --json` prints and history stores; media as sizes.

        `output_issues` is in it where the output was checked, `unchecked` (true) where the
        arguments were not; `approval_wait` where the call waited for an approval.
        """
        error, issues = self.error, self.output_issues
        checked = {} if issues is None else {"output_issues": [issue.to_json() for issue in issues]}
        unchecked = {"unchecked": True} if self.is_unchecked else {}
        waited = {"approval_wait": round(self.approval_wait, 6)} if self.approval_wait else {}
        return {
            "success": self.success,
            "data": None if error and not self.content else self._data(),
            "error": error and {"type": error.type, "message": error.message, "code": error.code},
            "execution_time": round(self.execution_time, 6),
            **waited,
            "timestamp": self.timestamp.isoformat(),
            **checked,
            **unchecked,
        }

    def _data(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "content": [block.to_json() for block in self.content],
            "structuredContent": self.structured,
            **({"_meta": dict(self.meta)} if self.meta else {}),
        }


_OUTPUT_TEXT, _STRUCTURED = UnpackedField(ToolResult.output), UnpackedField(ToolResult.structured)
type.__setattr__(ToolResult, "output", _OUTPUT_TEXT)
type.__setattr__(ToolResult, "structured", _STRUCTURED)


def wrapped_value(structured: Any) -> Any:
    """What is in `{"result": ...}`, as servers wrap values that are no objects; else nothing."""
    members = cast("dict[str, Any]", structured) if isinstance(structured, dict) else {}
    return members["result"] if list(members) == ["result"] else NO_VALUE


NO_VALUE: Final = object()
"""Equal to no JSON value."""


def failed(kind: str, message: str, code: ErrorCode) -> ToolResult:
    """A result without data; `kind` is the class of the cause."""
    return ToolResult(success=False, error=ToolError(kind, message, code))


Origin: TypeAlias = Literal["person", "agent", "terminal", "client", "app"]
"""Who makes a call; `client` is another program, through the gateway, `app` an MCP App."""


class ToolCall(Struct, frozen=True):
    """A request to run one tool, from a person or an agent alike.

    `key` is `server:tool`; `timeout` is in seconds, None for the server's own limit. `call_id`
    names the call in its steps, its progress, the approver's question, the history and the log, and
    to `ToolExecutor.cancel`.

    `text` is what a model wrote as its arguments, JSON that may be wrong: where it is not None the
    executor reads it instead of `arguments`, and says where it is no JSON object.

    Without `validate` a person's arguments are sent whatever the schema and the rules say of them;
    an agent's are always validated.

    `model` is the name of the model, or of the client of the gateway, that asked for it; empty
    where none did. `is_corrected` says that a person changed the arguments after it was asked for.
    """

    key: str
    arguments: JsonObject = field(default_factory=dict[str, Any])
    call_id: str = field(default_factory=lambda: os.urandom(16).hex())  # uuid takes 2 ms to import
    origin: Origin = "person"
    timeout: float | None = None
    text: str | None = None
    validate: bool = True
    model: str = ""
    is_corrected: bool = False


class Progress(Struct, frozen=True):
    """How far a running call is; `total` is None if the server does not know.

    `call_id` is that of the `ToolCall`, because one receiver may follow several calls.
    """

    progress: float
    total: float | None = None
    message: str = ""
    call_id: str = ""


class Decision(Struct, frozen=True):
    """`arguments` are what is to be sent: those asked about, or as the person corrected them.

    `reason` is a sentence for whoever made the call, a model too; empty where there is none.
    """

    allowed: bool
    arguments: JsonObject
    reason: str = ""


class Approver(Protocol):
    """Decides on one call. May take as long as a person takes; being cancelled means no call."""

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision: ...


Step: TypeAlias = Literal[
    "started",
    "found",
    "parsed",
    "validated",
    "unchecked",
    "refused",
    "asked",
    "approved",
    "denied",
    "waiting",
    "sent",
    "progress",
    "answered",
    "checked",
    "finished",
]
"""In the order they come; a call goes through some of them, and always ends with `finished`.

`found`: the tool is there. `parsed`: a model's text was read. `validated`: nothing forbids the
arguments; its issues are warnings. `unchecked`: instead of that, they are sent as they are; its
issues are what is known to be wrong. `refused`: nothing is sent. `asked`, then `approved` or
`denied`: an approver decided; changed arguments are validated once more. `waiting`: the server has
enough to do. `sent`, `progress` (`detail` says how far), `answered`. `checked`: the output was held
against the `outputSchema`.
"""


class CallStep(Struct, frozen=True):
    """One step of one call.

    `call` has the arguments as they are by then: read, and corrected by who approved. `elapsed` is
    in seconds since the call started; `issues` come with `validated`, `refused` and `checked`;
    `detail` is the reason of `refused` and `denied`; `result` comes with `finished` alone.
    """

    call: ToolCall
    step: Step
    elapsed: float
    detail: str = ""
    issues: tuple[ValidationIssue, ...] = ()
    result: ToolResult | None = None
