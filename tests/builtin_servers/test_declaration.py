"""What goes over the wire of a declaration."""

from __future__ import annotations

from builtin_servers.call import Reply
from builtin_servers.declaration import Server, Tool


def test_a_tool_sends_only_what_it_has() -> None:
    schema = {"type": "object"}
    bare = Tool("a", lambda _: Reply(""), title="A", description="d", input_schema=schema)
    assert bare.to_json() == {"name": "a", "title": "A", "description": "d", "inputSchema": schema}


def test_a_tool_sends_its_meta_icons_and_annotations_under_the_protocols_names() -> None:
    tool = Tool(
        "a",
        lambda _: Reply(""),
        title="A",
        description="d",
        input_schema={"type": "object"},
        output_schema={"type": "object"},
        annotations={"readOnlyHint": True},
        icons=({"src": "data:,"},),
        meta={"version": "1"},
    )
    sent = tool.to_json()
    assert sent["_meta"] == {"version": "1"}
    assert sent["icons"] == [{"src": "data:,"}]
    assert {"outputSchema", "annotations"} <= set(sent)


def test_a_server_finds_its_tools_by_name() -> None:
    tool = Tool("a", lambda _: Reply(""), title="", description="", input_schema={})
    server = Server("s", title="S", version="1", instructions="", tools=[tool])
    assert server.tools == {"a": tool}
