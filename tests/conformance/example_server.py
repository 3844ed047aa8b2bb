"""The example tools that the official suite asks a server for, made with the framework of ours.

`serve` runs in a bare process, like a built-in server. Has what tools can answer; must not have
what the built-in servers lack: logging, sampling, elicitation.
"""

from __future__ import annotations

from builtin_servers.framework.schema import closed_object
from builtin_servers.framework.server_loop import serve as serve_stdio
from builtin_servers.framework.tool import BuiltinServer, BuiltinTool, ToolCallError, ToolReply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from builtin_servers.framework.tool import CallContext, Handler

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
IMAGE = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def serve() -> int:
    """Serve until the input ends; returns the exit code."""
    tools = [
        _tool("test_simple_text", _answer("This is a simple text response for testing.")),
        _tool("test_image_content", _answer("", IMAGE)),
        _tool(
            "test_audio_content",
            _answer("", {"type": "audio", "data": SILENCE, "mimeType": "audio/wav"}),
        ),
        _tool(
            "test_embedded_resource",
            _answer(
                "", _resource("embedded", "text/plain", "This is an embedded resource content.")
            ),
        ),
        _tool(
            "test_multiple_content_types",
            _answer(
                "Multiple content types test:",
                IMAGE,
                _resource("mixed-content", "application/json", '{"test":"data","value":123}'),
            ),
        ),
        _tool("test_error_handling", _fail),
        _tool("test_tool_with_progress", _climb),
        _tool("json_schema_2020_12_tool", _answer(""), SCHEMA),
    ]
    version, words = "1.0.0", "The tools that the official suite calls."
    return serve_stdio(
        BuiltinServer(
            "examples", title="Examples", version=version, instructions=words, tools=tools
        )
    )


def _tool(name: str, handler: Handler, schema: dict[str, Any] | None = None) -> BuiltinTool:
    schema = dict(closed_object({})) if schema is None else schema
    return BuiltinTool(name, handler, title=name, description=name, input_schema=schema)


def _answer(text: str, *blocks: dict[str, Any]) -> Handler:
    return lambda _: ToolReply(text, blocks=blocks)


def _resource(name: str, mime: str, text: str) -> dict[str, Any]:
    resource = {"uri": f"test://{name}-resource", "mimeType": mime, "text": text}
    return {"type": "resource", "resource": resource}


def _fail(call: CallContext) -> ToolReply:
    raise ToolCallError("This tool intentionally returns an error for testing")


def _climb(call: CallContext) -> ToolReply:
    for done in (0, 50, 100):
        call.report(done, 100)
    return ToolReply("Done.")
