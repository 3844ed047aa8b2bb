from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.cli.tools import to_mcp
from desktop.values.tool_types import Annotations, Metadata, ToolDefinition
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal


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


def test_the_table_has_each_tool_of_all_enabled_servers(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), two=entry("garbage"), off=entry("plain", enabled=False))
    done = terminal.run("tools")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].split() == ["TOOL", "TITLE", "DESCRIPTION"]
    assert any(line.startswith("one:echo ") and "The tool echo." in line for line in lines)
    assert any(line.startswith("two:echo ") for line in lines)
    assert not any(line.startswith("off:") for line in lines)


def test_the_document_has_whole_definitions_in_the_protocols_shape(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    tools = {tool["key"]: tool for tool in terminal.run("tools", "--json").document["tools"]}
    assert tools["one:structured"]["outputSchema"]["required"] == ["city", "degrees"]
    assert tools["one:add"] == {
        "server": "one",
        "key": "one:add",
        "name": "add",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
        "description": "The tool add.",
    }


def test_one_server_alone_is_started_also_when_it_is_off(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), off=entry("garbage", enabled=False))
    done = terminal.run("tools", "--server", "off", "--json")
    assert [tool["key"] for tool in done.document["tools"]] == ["off:echo"]
    assert terminal.server_log("one") == ""


def test_a_server_that_fails_leaves_the_others(terminal: Terminal) -> None:
    terminal.configure(one=entry("garbage"), dead=entry("exits_at_start"))
    done = terminal.run("tools", "--json")
    assert done.code == 0
    assert [tool["key"] for tool in done.document["tools"]] == ["one:echo"]
    assert "exited with code 3" in done.document["failed"]["dead"]
    assert "exited with code 3" in done.err


def test_when_none_can_be_reached_it_is_3(terminal: Terminal) -> None:
    terminal.configure(one=entry("garbage"), dead=entry("exits_at_start"))
    done = terminal.run("tools", "--server", "dead", "--json")
    assert done.code == 3
    assert done.document["tools"] == []


def test_an_unknown_server_is_2_and_names_those_there_are(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"))
    done = terminal.run("tools", "--server", "two")
    assert done.code == 2
    assert "Available: one, calculator, time, " in done.err


def test_ten_thousand_tools_are_listed(terminal: Terminal) -> None:
    terminal.configure(many=entry("many_tools", "--count", 10_000))
    assert len(terminal.run("tools").out.splitlines()) == 10_001


def test_a_reader_that_leaves_early_is_no_error(terminal: Terminal) -> None:
    terminal.configure(many=entry("many_tools", "--count", 5_000))
    process = terminal.start("tools")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith("TOOL")
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(30) == 0
    assert said == ""


def odd_entry() -> dict[str, Any]:
    return entry("sloppy", "--fault", "two-faults")


def test_a_tool_that_breaks_the_protocol_is_listed_and_said_to_be_so(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry(), nameless=entry("sloppy", "--fault", "name-missing"))
    done = terminal.run("tools")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()[1:4]] == [
        "odd:good",
        "odd:t",
        "odd:set_fault",
    ]
    problems = "description is not a string; inputSchema is not an object"
    assert f"odd:t violates the protocol: {problems}" in done.err
    assert "nameless: tools/list: tool 2 cannot be called: name is missing" in done.err


def test_what_is_wrong_with_a_tool_is_in_the_json_of_it_alone(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry())
    good, odd, _ = json.loads(terminal.run("tools", "--json").out)["tools"]
    assert "problems" not in good
    assert set(odd["problems"]) == {"inputSchema is not an object", "description is not a string"}
    assert odd["inputSchema"] == {}


def test_a_tool_without_a_schema_is_called_with_what_is_given(terminal: Terminal) -> None:
    terminal.configure(odd=odd_entry())
    assert terminal.run("call", "odd:t", "--args", '{"any": [1]}').out == "ok\n"
