"""Tools are found by key, or by a name that only one server has; else the nearest are named.

A name means one tool, or the answer says what there is.
"""

from __future__ import annotations

import pytest

from desktop.base.errors import ToolNotFoundError
from desktop.servers.service import McpService
from desktop.tools.adapters import McpToolAdapter, Tool
from desktop.tools.registry import ToolRegistry, find_tool
from desktop.values.tool_types import ToolDefinition
from tests.live_servers import surroundings
from tests.tools.one_tool import OneTool

LISTED: list[Tool] = [
    OneTool("files", "read"),
    OneTool("files", "search"),
    OneTool("web", "search"),
    OneTool("web", "a:b"),
]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("files:read", "files:read"),
        ("read", "files:read"),
        ("a:b", "web:a:b"),
        ("web:search", "web:search"),
    ],
)
def test_a_key_or_a_name_that_one_server_has_is_enough(name: str, key: str) -> None:
    assert find_tool(name, LISTED).definition.key == key


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("serch", r"Did you mean files:search or web:search\?"),
        ("web:serch", r"Did you mean web:search\?"),
        ("wbe:serch", r"Did you mean web:search\?"),
        ("fiels:Search", r"Did you mean files:search\?"),
        ("web:read", r"Did you mean files:read\?"),
        ("gone:read", r"Did you mean files:read\?"),
        ("a:bb", r"Did you mean web:a:b\?"),
        ("zzz", r"There are files:read, files:search, web:search, web:a:b\."),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(ToolNotFoundError, match=said):
        find_tool(name, LISTED)


def test_long_names_of_one_server_do_not_hide_what_was_meant() -> None:
    server = "a-server-with-a-long-name"
    tools: list[Tool] = [OneTool(server, name) for name in ("get", "put", "list_pages", "delete")]
    with pytest.raises(ToolNotFoundError, match=rf"Did you mean {server}:list_pages\?"):
        find_tool(f"{server}:list_page", tools)
    with pytest.raises(ToolNotFoundError, match="There are "):
        find_tool(f"{server}:zzzzz", tools)


def test_what_two_tools_could_mean_is_asked_back() -> None:
    with pytest.raises(ToolNotFoundError, match=r"Say files:search, web:search\."):
        find_tool("search", LISTED)


def test_without_tools_the_answer_says_why() -> None:
    with pytest.raises(ToolNotFoundError, match=r"(^| |\n)No server with tools is connected\."):
        find_tool("search", [])


def tools(server: str, *names: str) -> list[Tool]:
    service = McpService(surroundings())
    return [McpToolAdapter(service, ToolDefinition(server, name)) for name in names]


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry()
    registry.set_server("files", tools("files", "read_file", "write_file", "search"))
    registry.set_server("web", tools("web", "search", "a:b"))
    return registry


def keys(registry: ToolRegistry) -> list[str]:
    return [tool.definition.key for tool in registry.all()]


async def test_tools_stand_server_by_server_under_their_keys(registry: ToolRegistry) -> None:
    assert keys(registry) == [
        "files:read_file",
        "files:write_file",
        "files:search",
        "web:search",
        "web:a:b",
    ]
    found = registry.get("web:a:b")
    assert found is not None
    assert found.definition.name == "a:b"
    assert registry.get("search") is None


async def test_a_server_replaces_only_its_own_tools(registry: ToolRegistry) -> None:
    changes: list[list[str]] = []
    registry.changed.connect(lambda: changes.append(keys(registry)))
    registry.set_server("files", tools("files", "read_file"))
    registry.set_server("web", [])
    assert len(changes) == 2
    registry.set_server("web", [])
    assert changes == [["files:read_file", "web:search", "web:a:b"], ["files:read_file"]]


async def test_a_name_listed_twice_counts_once(registry: ToolRegistry) -> None:
    both = tools("files", "same", "same")
    registry.set_server("files", both)
    assert registry.get("files:same") is both[1]
    assert keys(registry).count("files:same") == 1


async def test_a_bare_name_is_enough_where_one_server_has_it(registry: ToolRegistry) -> None:
    assert registry.find("read_file").definition.key == "files:read_file"
    assert registry.find("web:search").definition.key == "web:search"
    with pytest.raises(ToolNotFoundError, match="files:search, web:search"):
        registry.find("search")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_fil", "Did you mean files:read_file"),
        ("files:write_fiel", "Did you mean files:write_file"),
        ("zzz", "There are files:read_file, "),
        ("", "There are "),
    ],
)
async def test_what_is_not_there_is_answered_with_the_nearest(
    registry: ToolRegistry, name: str, said: str
) -> None:
    with pytest.raises(ToolNotFoundError, match=said):
        registry.find(name)


def test_an_empty_registry_says_why() -> None:
    with pytest.raises(ToolNotFoundError, match=r"(^| |\n)No server with tools is connected\."):
        ToolRegistry().find("a")


async def test_servers_keep_the_order_that_was_arranged_whichever_connects_first(
    registry: ToolRegistry,
) -> None:
    registry.set_server("files", tools("files", "read_file"))
    registry.set_server("web", tools("web", "search"))
    changes: list[list[str]] = []
    registry.changed.connect(lambda: changes.append(keys(registry)))
    registry.arrange(["mail", "web", "files"])
    assert changes == [["web:search", "files:read_file"]]
    registry.arrange(["mail", "web", "files"])
    assert len(changes) == 1
    registry.set_server("late", tools("late", "a"))
    registry.set_server("mail", tools("mail", "send"))
    assert keys(registry) == ["mail:send", "web:search", "files:read_file", "late:a"]


def test_no_more_than_five_tools_are_listed_where_none_is_near() -> None:
    listed: list[Tool] = [OneTool("files", f"tool_{number}") for number in range(6)]
    with pytest.raises(ToolNotFoundError, match=r"There are (files:tool_\d, ){5}…"):
        find_tool("zzz", listed)
