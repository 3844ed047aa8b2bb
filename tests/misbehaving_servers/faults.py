"""The single faults of the sloppy server, and what a person is told of each.

A table without dependencies: the server reads it to misbehave, the tests to know what must come of
it, the comparison to run other clients on the same. One fault is one thing wrong beside a server
that is otherwise good.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    Json: TypeAlias = dict[str, Any]
    Group = Literal[
        "tool", "listing", "result", "notification", "framing", "id", "error", "handshake", "start"
    ]


class Fault:
    """One fault: how the server misbehaves (`value`), and what comes of it.

    `outcome` is of the tool `t`: `fine` (called, and answered `ok` unless `output` says otherwise),
    `gone` (not in the list; the server works), `error` (the call is an error, at once) or `failed`
    (the server cannot be connected). `told` is part of what a person reads about it: beside the
    tool, in the error, or in the server's log; empty where there is nothing to say.
    """

    def __init__(
        self,
        group: Group,
        name: str,
        value: Any = None,
        outcome: str = "fine",
        told: str = "",
        output: str = "ok",
    ) -> None:
        self.group = group
        self.name = name
        self.value = value
        self.outcome = outcome
        self.told = told
        self.output = output


def tool(name: str, told: str, outcome: str = "fine", /, **members: Any) -> Fault:
    """A declaration of `t` with these members; `...` takes one out."""
    return Fault("tool", name, members, outcome, told)


def result(name: str, value: Any, output: str, told: str = "") -> Fault:
    return Fault("result", name, value, "fine", told, output)


OBJECT = {"type": "object"}
SHAPE = {"type": "object", "properties": {"a": {"type": "string"}}}
MISSING: Any = ...  # a member that is not there

TOOLS = [
    tool("schema-null", "inputSchema is not an object", inputSchema=None),
    tool("schema-missing", "inputSchema is missing", inputSchema=MISSING),
    tool("schema-text", "inputSchema is not an object", inputSchema="none"),
    tool("schema-list", "inputSchema is not an object", inputSchema=[]),
    tool("schema-true", "inputSchema is not an object", inputSchema=True),
    tool("schema-empty", "inputSchema.type is missing", inputSchema={}),
    tool("schema-no-type", "inputSchema.type is missing", inputSchema={"properties": {}}),
    tool("schema-type-text", "inputSchema.type", inputSchema={"type": "string"}),
    tool("schema-type-list", "inputSchema.type", inputSchema={"type": ["object", "null"]}),
    tool("schema-type-null", "inputSchema.type", inputSchema={"type": None}),
    tool("schema-props-list", "inputSchema.properties", inputSchema=OBJECT | {"properties": []}),
    tool("schema-props-null", "", inputSchema=OBJECT | {"properties": None}),
    tool(
        "schema-prop-text",
        "inputSchema.properties.a",
        inputSchema=OBJECT | {"properties": {"a": "string"}},
    ),
    tool("schema-required-object", "inputSchema.required", inputSchema=OBJECT | {"required": {}}),
    tool("schema-required-null", "", inputSchema=OBJECT | {"required": None}),
    tool("schema-required-text", "inputSchema.required", inputSchema=OBJECT | {"required": "a"}),
    tool("schema-dialect-number", "inputSchema.$schema", inputSchema=OBJECT | {"$schema": 7}),
    tool("description-number", "description is not a string", description=7),
    tool("description-list", "description is not a string", description=["a"]),
    tool("description-null", "", description=None),
    tool("description-nan", "description is not a string", description=float("nan")),
    tool("title-number", "title is not a string", title=3),
    tool("title-null", "", title=None),
    tool("annotations-text", "annotations is not an object", annotations="none"),
    tool("annotations-list", "annotations is not an object", annotations=[]),
    tool("annotations-null", "", annotations=None),
    tool(
        "hint-text",
        "annotations.readOnlyHint is not true or false",
        annotations={"readOnlyHint": "perhaps"},
    ),
    tool(
        "hint-list",
        "annotations.destructiveHint is not true or false",
        annotations={"destructiveHint": []},
    ),
    tool("hint-title-number", "annotations.title is not a string", annotations={"title": 1}),
    tool("output-no-type", "outputSchema.type is missing", outputSchema={}),
    tool("output-array", "outputSchema.type", outputSchema={"type": "array"}),
    tool("output-text", "outputSchema is not an object", outputSchema="none"),
    tool("output-null", "", outputSchema=None),
    tool("icons-no-src", "icons.0.src is missing", icons=[{}]),
    tool("icons-object", "icons is not a list", icons={}),
    tool("icons-text", "icons is not a list", icons="star"),
    tool("meta-text", "_meta is not an object", _meta="x"),
    tool("meta-null", "", _meta=None),
    tool("execution-odd", "execution.taskSupport", execution={"taskSupport": "maybe"}),
    tool("execution-text", "execution is not an object", execution="later"),
    tool("name-missing", "tool 2 cannot be called: name is missing", "gone", name=MISSING),
    tool("name-null", "tool 2 cannot be called: name is not a string", "gone", name=None),
    tool("name-number", "tool 2 cannot be called: name is not a string", "gone", name=7),
    tool("two-faults", "description is not a string", description=1, inputSchema=None),
    tool("extra-members", "", color="red", priority=1),
]
"""`value`: members of the declaration of `t`, beside one good tool."""

LISTING = [
    Fault("listing", "tool-null", [None], "gone", "tool 2 cannot be called"),
    Fault("listing", "tool-text", ["t"], "gone", "tool 2 cannot be called"),
    Fault("listing", "tool-list", [[]], "gone", "tool 2 cannot be called"),
    Fault("listing", "tool-empty", [{}], "gone", "tool 2 cannot be called"),
    Fault("listing", "double", ["T", "T"], "fine", "2 tools are called t"),
    Fault("listing", "cursor-number", {"nextCursor": 2}, "fine", "nextCursor is not a string"),
    Fault("listing", "cursor-object", {"nextCursor": {}}, "fine", "nextCursor is not a string"),
    Fault("listing", "cursor-null", {"nextCursor": None}),
    Fault("listing", "cursor-empty", {"nextCursor": ""}),
    Fault("listing", "list-meta-text", {"_meta": "x"}, "fine", "_meta is not an object"),
    Fault("listing", "tools-null", {"tools": None}, "gone", "tools is not a list"),
    Fault("listing", "tools-missing", {"tools": ...}, "gone", "tools is missing"),
    Fault("listing", "tools-object", {"tools": {"t": {}}}, "gone", "tools is not a list"),
    Fault("listing", "next-page-fails", {"nextCursor": "broken"}, "fine", "no such page"),
]
"""`value`: further items of the list ("T" for `t`), or members of the result."""

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
GOOD = {"type": "text", "text": "ok"}

RESULTS = [
    result("result-empty", {}, "", "content is missing"),
    result("content-null", {"content": None}, "", "content is missing"),
    result("content-text", {"content": "ok"}, "ok", "content is not a list"),
    result("content-object", {"content": GOOD}, "ok", "content is not a list"),
    result("content-number", {"content": 7}, "7", "content is not a list"),
    result("content-of-texts", {"content": ["ok", "and more"]}, "ok\nand more"),
    result("content-of-null", {"content": [GOOD, None]}, "ok\nnull"),
    result("result-of-2024", {"toolResult": {"a": 1}}, '{"toolResult": {"a": 1}}'),
    result("structured-only", {"structuredContent": {"a": 1}}, "", "content is missing"),
    result("structured-list", {"content": [GOOD], "structuredContent": [1, 2]}, "ok"),
    result("structured-text", {"content": [GOOD], "structuredContent": "x"}, "ok"),
    result("structured-null", {"content": [GOOD], "structuredContent": None}, "ok"),
    result(
        "block-unknown",
        {"content": [GOOD, {"type": "hologram", "src": "x"}]},
        'ok\n{"type": "hologram", "src": "x"}',
        "a content block is of an unknown type",
    ),
    result("block-no-type", {"content": [GOOD, {"text": "more"}]}, "ok\nmore"),
    result("block-empty", {"content": [{}, GOOD]}, "{}\nok"),
    result(
        "text-number", {"content": [{"type": "text", "text": 5}]}, '{"type": "text", "text": 5}'
    ),
    result(
        "text-null", {"content": [{"type": "text", "text": None}]}, '{"type": "text", "text": null}'
    ),
    result("text-missing", {"content": [{"type": "text"}, GOOD]}, '{"type": "text"}\nok'),
    result("image-no-type", {"content": [{"type": "image", "data": PIXEL}]}, "[Image: image/png]"),
    result(
        "image-no-data",
        {"content": [GOOD, {"type": "image", "mimeType": "image/png"}]},
        'ok\n{"type": "image", "mimeType": "image/png"}',
    ),
    result(
        "image-data-object",
        {"content": [GOOD, {"type": "image", "data": {}}]},
        'ok\n{"type": "image", "data": {}}',
    ),
    result(
        "image-no-base64",
        {"content": [{"type": "image", "data": "%%%", "mimeType": "image/png"}]},
        "[Image: image/png, whose data is not base64: %%%]",
    ),
    result(
        "audio-type-number",
        {"content": [GOOD, {"type": "audio", "data": "", "mimeType": 1}]},
        'ok\n{"type": "audio", "data": "", "mimeType": 1}',
    ),
    result(
        "resource-no-uri",
        {"content": [GOOD, {"type": "resource", "resource": {"text": "x"}}]},
        'ok\n{"type": "resource", "resource": {"text": "x"}}',
    ),
    result(
        "resource-null",
        {"content": [GOOD, {"type": "resource", "resource": None}]},
        'ok\n{"type": "resource", "resource": null}',
    ),
    result(
        "link-no-name",
        {"content": [GOOD, {"type": "resource_link", "uri": "a://b"}]},
        'ok\n{"type": "resource_link", "uri": "a://b"}',
    ),
    result(
        "block-annotations-odd", {"content": [GOOD | {"annotations": {"audience": ["x"]}}]}, "ok"
    ),
    result("block-meta-odd", {"content": [GOOD | {"_meta": 1}]}, "ok"),
    result("error-flag-null", {"content": [GOOD], "isError": None}, "ok"),
    result(
        "error-flag-text",
        {"content": [GOOD], "isError": "perhaps"},
        "ok",
        "isError is not true or false",
    ),
    result("result-meta-text", {"content": [GOOD], "_meta": "x"}, "ok", "_meta is not an object"),
    result("escaped-half-pair", {"content": [{"type": "text", "text": "a\ud800"}]}, "a\ufffd"),
]
"""`value`: the result of `t`."""

ANSWERS = [
    Fault(
        "error", "result-text", {"result": "fine"}, "error", 'its result is not an object: "fine"'
    ),
    Fault("error", "result-null", {"result": None}, "error", "its result is not an object: null"),
    Fault("error", "result-list", {"result": [1]}, "error", "its result is not an object: [1]"),
    Fault("error", "result-true", {"result": True}, "error", "its result is not an object: true"),
    Fault("error", "error-text", {"error": "no such city"}, "error", "no such city"),
    Fault("error", "error-no-code", {"error": {"message": "no code"}}, "error", "no code"),
    Fault(
        "error",
        "error-code-text",
        {"error": {"code": "ENOENT", "message": "no file"}},
        "error",
        "no file",
    ),
    Fault(
        "error",
        "error-code-digits",
        {"error": {"code": "-32000", "message": "no luck"}},
        "error",
        "no luck (code -32000)",
    ),
    Fault(
        "error",
        "error-code-float",
        {"error": {"code": -32000.5, "message": "no luck"}},
        "error",
        "no luck",
    ),
    Fault("error", "error-no-message", {"error": {"code": -32000}}, "error", '{"code": -32000}'),
    Fault(
        "error",
        "error-message-object",
        {"error": {"code": 1, "message": {"a": 1}}},
        "error",
        '"message": {"a": 1}',
    ),
    Fault("error", "error-empty", {"error": {}}, "error", "{}"),
    Fault("error", "error-number", {"error": 7}, "error", "7"),
    Fault("error", "error-list", {"error": ["x"]}, "error", '["x"]'),
    Fault("error", "error-null", {"error": None, "result": {"content": [GOOD]}}),
    Fault(
        "error",
        "version-missing",
        {"jsonrpc": ..., "result": {"content": [GOOD]}},
        told='lack "jsonrpc": "2.0"',
    ),
    Fault(
        "error",
        "version-one",
        {"jsonrpc": "1.0", "result": {"content": [GOOD]}},
        told='lack "jsonrpc": "2.0"',
    ),
    Fault(
        "error",
        "version-number",
        {"jsonrpc": 2.0, "result": {"content": [GOOD]}},
        told='lack "jsonrpc": "2.0"',
    ),
    Fault("error", "members-extra", {"result": {"content": [GOOD]}, "time": 1}),
]
"""`value`: members of the message that answers a call of `t`."""

NOTIFICATIONS = [
    Fault(
        "notification",
        "log-no-level",
        ["notifications/message", {"data": "x"}],
        told="level is missing",
    ),
    Fault(
        "notification",
        "log-level-odd",
        ["notifications/message", {"level": "loud", "data": "x"}],
        told="notifications/message: ",
    ),
    Fault(
        "notification",
        "log-params-list",
        ["notifications/message", ["x"]],
        told="params is not an object",
    ),
    Fault(
        "notification",
        "log-no-params",
        ["notifications/message", ...],
        told="notifications/message: ",
    ),
    Fault(
        "notification",
        "progress-text",
        ["notifications/progress", {"progressToken": 1, "progress": "half"}],
        told="progress is not a number",
    ),
    Fault(
        "notification",
        "progress-no-token",
        ["notifications/progress", {"progress": 1}],
        told="notifications/progress: ",
    ),
    Fault("notification", "cancelled-empty", ["notifications/cancelled", {}], told=""),
    Fault(
        "notification",
        "changed-params-text",
        ["notifications/tools/list_changed", "now"],
        told="params is not an object",
    ),
    Fault(
        "notification",
        "changed-meta-text",
        ["notifications/tools/list_changed", {"_meta": 1}],
        told="_meta is not an object",
    ),
    Fault(
        "notification",
        "updated-no-uri",
        ["notifications/resources/updated", {}],
        told="uri is missing",
    ),
    Fault("notification", "unknown", ["notifications/hello", {}]),
    Fault("notification", "method-number", [7, {}], told="[stdout, not a message]"),
]
"""`value`: method and params of what is sent before `t` is answered."""

FRAMING = [
    Fault("framing", "crlf"),
    Fault("framing", "blank-lines"),
    Fault("framing", "spaces-around"),
    Fault("framing", "bom", told=""),
    Fault("framing", "pretty", told="its messages span several lines"),
    Fault("framing", "pretty-crlf", told="its messages span several lines"),
    Fault("framing", "batch", told="it sends messages in batches"),
    Fault("framing", "two-in-a-batch", told="it sends messages in batches"),
    Fault("framing", "noise-before", told="[stdout, not a message] Starting"),
    Fault("framing", "noise-json", told='[stdout, not a message] {"level": "info"}'),
    Fault("framing", "noise-brace", told="[stdout, not a message] {"),
    Fault("framing", "latin-1"),
    Fault("framing", "nul-byte-line", told="[stdout, not a message]"),
    Fault("framing", "twice"),
]
"""How every line is written."""

IDS = [
    Fault("id", "id-float", told="writes ids as"),
    Fault("id", "id-text"),
    Fault("id", "id-extra", told=""),
]

HANDSHAKE = [
    Fault("handshake", "info-missing", {"serverInfo": ...}, told="serverInfo is missing"),
    Fault("handshake", "info-null", {"serverInfo": None}, told="serverInfo is not an object"),
    Fault("handshake", "info-text", {"serverInfo": "me"}, told="serverInfo is not an object"),
    Fault(
        "handshake",
        "info-no-version",
        {"serverInfo": {"name": "s"}},
        told="serverInfo.version is missing",
    ),
    Fault(
        "handshake",
        "info-version-number",
        {"serverInfo": {"name": "s", "version": 1}},
        told="serverInfo.version is not a string",
    ),
    Fault(
        "handshake",
        "info-no-name",
        {"serverInfo": {"version": "1"}},
        told="serverInfo.name is missing",
    ),
    Fault(
        "handshake",
        "info-icons-text",
        {"serverInfo": {"name": "s", "version": "1", "icons": "x"}},
        told="serverInfo.icons is not a list",
    ),
    Fault(
        "handshake",
        "instructions-list",
        {"instructions": ["a"]},
        told="instructions is not a string",
    ),
    Fault("handshake", "instructions-null", {"instructions": None}),
    Fault(
        "handshake", "capabilities-missing", {"capabilities": ...}, told="capabilities is missing"
    ),
    Fault(
        "handshake",
        "capabilities-null",
        {"capabilities": None},
        told="capabilities is not an object",
    ),
    Fault(
        "handshake",
        "capabilities-list",
        {"capabilities": ["tools"]},
        told="capabilities is not an object",
    ),
    Fault("handshake", "capabilities-empty", {"capabilities": {}}),
    Fault(
        "handshake",
        "capability-true",
        {"capabilities": {"tools": True}},
        told="capabilities.tools is not an object",
    ),
    Fault("handshake", "capability-null", {"capabilities": {"tools": {}, "prompts": None}}),
    Fault(
        "handshake", "capability-unknown", {"capabilities": {"tools": {}, "flying": {"high": 1}}}
    ),
    Fault(
        "handshake",
        "list-changed-text",
        {"capabilities": {"tools": {"listChanged": "perhaps"}}},
        told="capabilities.tools.listChanged is not true or false",
    ),
    Fault("handshake", "greeting-meta-text", {"_meta": "x"}, told="_meta is not an object"),
    Fault("handshake", "protocol-2024-10", {"protocolVersion": "2024-10-07"}, told="2024-10-07"),
    Fault(
        "handshake",
        "protocol-missing",
        {"protocolVersion": ...},
        told="protocolVersion is missing or not a string",
    ),
    Fault(
        "handshake",
        "protocol-number",
        {"protocolVersion": 2},
        told="protocolVersion is missing or not a string",
    ),
    Fault(
        "handshake",
        "protocol-future",
        {"protocolVersion": "2099-01-01"},
        "failed",
        "Unsupported protocol version from the server: 2099-01-01",
    ),
    Fault(
        "handshake",
        "protocol-word",
        {"protocolVersion": "1.0"},
        "failed",
        "Unsupported protocol version from the server: 1.0",
    ),
]
"""`value`: members of the answer to `initialize`."""

STDIO = [*TOOLS, *LISTING, *RESULTS, *ANSWERS, *NOTIFICATIONS, *FRAMING, *IDS, *HANDSHAKE]
BY_NAME = {fault.name: fault for fault in STDIO}
