from __future__ import annotations

from desktop.cli.mcp_shape import to_mcp
from desktop.tool_types import Annotations, Metadata, ToolDefinition


def test_a_definition_comes_out_as_the_protocol_writes_it() -> None:
    schema = {"type": "object", "x-own": 1}
    tool = ToolDefinition(
        server="s",
        name="n",
        title="T",
        description="D",
        input_schema=schema,
        output_schema={"type": "object"},
        annotations=Annotations(read_only=True, open_world=False),
        icons=({"src": "data:,"},),
        metadata=Metadata(raw={"version": "1"}),
        execution={"taskSupport": "optional"},
    )
    assert to_mcp(tool) == {
        "name": "n",
        "title": "T",
        "description": "D",
        "inputSchema": {"type": "object", "x-own": 1},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        "icons": [{"src": "data:,"}],
        "execution": {"taskSupport": "optional"},
        "_meta": {"version": "1"},
    }


def test_what_the_server_did_not_say_is_not_said() -> None:
    assert to_mcp(ToolDefinition("s", "n")) == {"name": "n", "inputSchema": {}}
