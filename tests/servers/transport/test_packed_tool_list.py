"""A list of which the schemas stay text has in it what it has when all of it is parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.servers.transport import packed_tool_list
from desktop.servers.transport.packed_tool_list import PackedToolList
from desktop.servers.transport.sliced_json import PAGE
from desktop.values.packed_json import JsonPacker, PackedText, text_of
from tests.servers.transport.heard import whole

PLAIN: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {
        "name": {"type": "string", "examples": [{"name": "a"}, {"name": "b"}, {"name": "c"}]},
        "text": {
            "description": 'like },{"name": "x"} and ]}} and "tools": [',
            "default": "\u00e9\\",
        },
        "size": {"maximum": 12345678901234567890123, "multipleOf": 1e-7},
    },
    "required": ["name"],
    "additionalProperties": False,
}
ODD: tuple[Any, ...] = (
    {},
    {"type": "string"},
    {"type": ["object", "null"]},
    {"type": "object", "properties": {"a": True}},
    {"type": "object", "properties": []},
    {"type": "object", "required": "a"},
    {"type": "object", "required": [1]},
    {"type": "object", "$schema": 7},
    True,
    None,
    "object",
)


def tool(number: int, schema: object = PLAIN, **more: object) -> dict[str, Any]:
    return {"name": f"t{number}", "description": "d" * 50, "inputSchema": schema, **more}


def message(tools: list[Any], before: Any = None, after: Any = None) -> dict[str, Any]:
    result: dict[str, Any] = {**(before or {}), "tools": tools, **(after or {})}
    return {"jsonrpc": "2.0", "id": 1, "result": result}


def read(line: bytes) -> tuple[dict[str, Any], list[int]]:
    """The whole result, and how many tools each of its pages had."""
    found = PackedToolList.find(line)
    assert found is not None
    tools, sizes, is_last = list[Any](), list[int](), False
    while not is_last:
        is_last = found.read_page()
        tools += found.page["tools"]
        sizes.append(len(found.page["tools"]))
    return {**found.page, "tools": [whole(each) for each in tools]}, sizes


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_tool_list, "_CHUNK", 200)


MEMBERS: list[tuple[Any, Any]] = [
    (None, None),
    (None, {"nextCursor": "own]}"}),
    ({"_meta": {"a": [1, {"tools": []}]}}, {"ttlMs": 0, "resultType": "complete"}),
    ({"_meta": {"tools": [tool(1)]}}, None),
    ({"nextCursor": "own"}, {"_meta": {"list": ["]"], "more": [[]]}}),
]


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(("before", "after"), MEMBERS)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": "), (" ,\n ", " :\t")])
@pytest.mark.parametrize("count", [0, 1, 7, PAGE, 2 * PAGE + 1])
def test_all_tools_come_in_their_order_with_the_rest_of_the_result(
    count: int, separators: tuple[str, str], before: Any, after: Any
) -> None:
    sent = message([tool(number) for number in range(count)], before, after)
    result, sizes = read(json.dumps(sent, separators=separators).encode())
    assert result == sent["result"]
    assert max(sizes) <= PAGE


@pytest.mark.usefixtures("small_chunks")
def test_none_of_a_long_list_is_parsed_whole() -> None:
    """As it would be where the end of a part of it was not found."""
    found = PackedToolList.find(json.dumps(message([tool(n) for n in range(2 * PAGE)])).encode())
    assert found is not None
    tools = list[dict[str, Any]]()
    for is_last in (False, True):
        assert found.read_page() is is_last
        tools += found.page["tools"]
    assert all(text_of(each["inputSchema"]) is not None for each in tools)
    assert len(tools) == 2 * PAGE


def test_a_plain_schema_stays_text_and_an_odd_one_is_parsed_as_before() -> None:
    sent = [tool(0), *(tool(1, schema, outputSchema=PLAIN) for schema in ODD)]
    found = PackedToolList.find(json.dumps(message(sent)).encode())
    assert found is not None
    assert found.read_page()
    first, *others = found.page["tools"]
    assert text_of(first["inputSchema"]) is not None
    assert first["inputSchema"]["type"] == "object"
    assert [each["inputSchema"] for each in others] == list(ODD)
    assert all(text_of(each["outputSchema"]) is not None for each in others)


def test_other_members_of_a_tool_are_parsed() -> None:
    more: dict[str, Any] = {
        "title": "T\u00e9\U0001f600",
        "annotations": {"readOnlyHint": True},
        "_meta": {"big": 10**30, "n": None},
        "icons": [{"src": "x"}],
        "execution": {"taskSupport": "optional"},
        "unknown": [1.5, {"inputSchema": PLAIN}],
    }
    sent = message([tool(0, **more)])
    assert read(json.dumps(sent).encode())[0] == sent["result"]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nothing",
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"resources": []}}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"_meta": {"tools": [1]}}}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"a": '"tools":[1]'}}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "x", "params": {"tools": [tool(0)]}}).encode(),
        json.dumps({**message([tool(0)]), "error": {"code": 1}}).encode(),
        json.dumps(message([tool(0)], {"a": "b" * 5_000})).encode(),
        json.dumps(message([tool(0)], None, {"a": "b" * 5_000})).encode(),
        json.dumps(message([tool(0)])).encode()[:-1],
        json.dumps(message([tool(0)])).encode() + b"}",
        b'{"tools": [' * 3_000,
    ],
)
def test_what_is_not_plainly_a_list_of_tools_is_left_to_others(line: bytes) -> None:
    assert PackedToolList.find(line) is None


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize("odd", ["NaN", "1" * 5_000, '"\\ud800"'])
@pytest.mark.parametrize("at", [0, 3, PAGE + 5])
def test_what_only_the_standard_library_reads_costs_no_tool(at: int, odd: str) -> None:
    tools = [tool(number) for number in range(3 * PAGE)]
    tools[at]["inputSchema"] = {"type": "object", "properties": {"a": {"default": "@"}}}
    line = json.dumps(message(tools, None, {"nextCursor": "own"})).replace('"@"', odd)
    result, sizes = read(line.encode())
    tools[at]["inputSchema"]["properties"]["a"]["default"] = result["tools"][at]["inputSchema"][
        "properties"
    ]["a"]["default"]
    assert result == {"tools": tools, "nextCursor": "own"}
    assert max(sizes) <= PAGE


@pytest.mark.usefixtures("small_chunks")
def test_what_is_no_tool_is_left_for_others_to_judge() -> None:
    sent = message([*([1, None, "tool"] * 200), tool(0), {}])
    assert read(json.dumps(sent).encode())[0] == sent["result"]


@pytest.mark.usefixtures("small_chunks")
def test_a_list_that_breaks_off_gives_the_pages_before_it() -> None:
    line = json.dumps(message([tool(number) for number in range(3 * PAGE)])).encode()
    broken = line.replace(b'"t500"', b'"t500')
    found = PackedToolList.find(broken)
    assert found is not None
    names = list[str]()
    for _ in range(2):
        assert not found.read_page()
        names += [each["name"] for each in found.page["tools"]]
    assert names == [f"t{number}" for number in range(2 * PAGE)]
    assert not found.read_page()  # what was read before the place
    with pytest.raises(ValueError, match="delimiter"):
        found.read_page()


def test_a_schema_may_be_as_deep_as_a_message_may_be() -> None:
    deep: dict[str, Any] = {"type": "object"}
    for _ in range(150):
        deep = {"type": "object", "properties": {"a": deep}}
    (packed,) = JsonPacker().pack(
        [read_tools(json.dumps(message([tool(0, deep)])).encode())[0]["inputSchema"]]
    )

    def looked_at(calls: int) -> Any:
        return packed.unpack() if calls == 0 else looked_at(calls - 1)

    assert isinstance(packed, PackedText)
    assert looked_at(700) == deep


def read_tools(line: bytes) -> list[dict[str, Any]]:
    found = PackedToolList.find(line)
    assert found is not None
    assert found.read_page()
    return found.page["tools"]


LINE = json.dumps(message([tool(number, _meta={"n": [1, 2]}) for number in range(4)])).encode()
BYTES = st.sampled_from(b'{}[]",:\\u0e-. \xff\x00n')
CHANGES = st.lists(
    st.tuples(st.integers(0, len(LINE) - 1), st.integers(0, 2), BYTES), min_size=1, max_size=3
)


@given(CHANGES)
@settings(max_examples=500)
def test_a_damaged_line_is_read_as_the_standard_library_reads_it(
    changes: list[tuple[int, int, int]],
) -> None:
    """Or not at all, where that refuses it."""
    line = bytearray(LINE)
    for place, kind, byte in changes:
        place = min(place, len(line) - 1)
        line[place : place + (kind != 1)] = b"" if kind == 2 else bytes((byte,))
    try:
        expected = json.loads(line.decode("utf-8", "replace"))["result"]
    except (ValueError, KeyError):
        expected = None
    found = PackedToolList.find(bytes(line))
    if found is None:
        return  # the others read it
    try:
        result: Any = read(bytes(line))[0]
    except ValueError:
        result = None
    assert result == expected
