from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.tools.tool_search import SearchIndex, ToolQuery, ToolSearch
from tests.gui.tools.fakes import after, tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.values.tool_types import ToolDefinition


async def test_matches_come_first_and_descriptions_follow_in_later_turns() -> None:
    search = ToolSearch()
    shown: list[str] = []

    def replace(tools: list[object]) -> None:
        shown[:] = [str(getattr(each, "name", "")) for each in tools]

    def extend(tools: list[object]) -> None:
        shown.extend(str(getattr(each, "name", "")) for each in tools)

    search.started.connect(replace)
    search.continued.connect(extend)
    search.replace_tools([tool("s:other", description="a word"), tool("s:word")])
    assert (shown, search.tool_count, search.is_finished) == (["other", "word"], 2, True)

    def look() -> None:
        search.look_for("word")
        assert shown == ["word"]
        assert not search.is_finished

    await after(search.finished, look)
    assert shown == ["word", "other"]
    assert search.is_finished


def test_a_new_query_ends_the_one_before() -> None:
    search = ToolSearch()
    search.replace_tools([tool("s:a", description="one"), tool("s:b")])
    search.look_for("one")
    search.look_for("")
    assert search.is_finished


TOOLS = (
    tool("files:remove", description="Deletes what you read before"),
    tool("files:spread"),
    tool("files:read_file"),
    tool("reader:other"),
    tool("files:open", title="Read it"),
)


def index(*tools: ToolDefinition) -> SearchIndex:
    made = SearchIndex()
    made.replace(tools)
    return made


def names(search: ToolQuery) -> list[str]:
    found = search.head()
    while not search.finished:
        found += search.more()
    return [each.name for each in found]


def test_an_empty_query_finds_every_tool_in_its_order() -> None:
    assert names(ToolQuery(index(*TOOLS), "  ")) == [each.name for each in TOOLS]


def test_name_prefix_comes_before_name_before_title_before_server_before_description() -> None:
    found = names(ToolQuery(index(*TOOLS), "READ"))
    assert found == ["read_file", "spread", "open", "other", "remove"]


def test_the_tool_that_is_named_comes_before_those_whose_names_begin_so() -> None:
    tools = index(tool("db:aggregate-db"), tool("db:list"), tool("db:aggregate"))
    assert names(ToolQuery(tools, "aggregate")) == ["aggregate", "aggregate-db"]


@pytest.mark.parametrize("query", ["get sum", "GET-SUM", "get_sum"])
def test_a_name_may_be_typed_with_spaces_and_a_title_is_a_name(query: str) -> None:
    spaced = query.lower().replace("_", " ").replace("-", " ")
    tools = index(tool("a:get-sum-of-all"), tool("a:get_sum_x"), tool(f"a:{query.lower()}"))
    assert names(ToolQuery(tools, query))[0] == query.lower()
    titled = index(tool("a:get-sum-of-all", title="Get sum of"), tool("a:x", title="Get sum"))
    assert names(ToolQuery(titled, spaced))[0] == "x"


@pytest.mark.parametrize("query", ["atlassian jira_search", "jira_search atlassian"])
def test_the_tool_of_a_server_comes_before_those_whose_names_are_longer(query: str) -> None:
    names_of = ("jira_search_assignable_users", "jira_search", "jira_search_fields")
    search = ToolQuery(index(*(tool(f"atlassian:{name}") for name in names_of)), query)
    assert names(search)[0] == "jira_search"


def test_a_word_that_no_tool_has_is_read_as_the_one_most_like_it() -> None:
    search = ToolSearch()
    shown: list[str] = []

    def replace(tools: list[ToolDefinition]) -> None:
        shown[:] = [each.name for each in tools]

    search.started.connect(replace)
    search.replace_tools([tool("github:search_issues"), tool("github:read_file")])
    search.look_for("serch issues")
    assert shown == ["search_issues"]
    assert (search.instead_of, search.meant) == ("serch issues", "search issues")
    search.look_for("search")
    assert (shown, search.instead_of) == (["search_issues"], "")
    search.look_for("xyzzy")
    assert (shown, search.instead_of) == ([], "")


def test_a_pasted_key_finds_its_tool() -> None:
    tools = index(tool("other:read"), tool("files:read_all"), tool("files:read"))
    assert names(ToolQuery(tools, "Files:read")) == ["read", "read_all"]


def test_every_word_must_occur_somewhere() -> None:
    assert names(ToolQuery(index(*TOOLS), "files read deletes")) == ["remove"]
    assert names(ToolQuery(index(*TOOLS), "files nowhere")) == []


def test_descriptions_are_searched_in_slices_and_only_appended() -> None:
    many = [tool(f"s:t{i}", description=f"needle {i}") for i in range(100)]
    search = ToolQuery(index(*many, tool("s:needle")), "needle")
    assert [each.name for each in search.head()] == ["needle"]
    first = search.more(seconds=0)
    assert 0 < len(first) < 100
    assert not search.finished
    rest: list[ToolDefinition] = []
    while not search.finished:
        rest += search.more(seconds=0)
    assert [each.name for each in first + rest] == [each.name for each in many]


def test_half_matches_are_looked_at_first_when_there_are_several_words() -> None:
    tools = (tool("s:a", description="issue new"), tool("s:issue", description="new"))
    assert names(ToolQuery(index(*tools), "issue new")) == ["issue", "a"]


def test_a_longer_query_searches_what_the_shorter_one_found() -> None:
    made = index(*TOOLS)
    short = ToolQuery(made, "rea")
    names(short)
    made.replace(())  # nothing left to find but what the first search knows
    assert names(ToolQuery(made, "read_", short)) == ["read_file"]


def test_another_query_starts_from_all_tools() -> None:
    made = index(*TOOLS)
    first = ToolQuery(made, "open")
    names(first)
    assert names(ToolQuery(made, "remove", first)) == ["remove"]


def test_an_unfinished_search_narrows_nothing() -> None:
    made = index(*TOOLS)
    first = ToolQuery(made, "del")
    first.head()
    assert names(ToolQuery(made, "deletes", first)) == ["remove"]


def test_known_tools_are_not_prepared_again() -> None:
    made = index(*TOOLS)
    before = made.entries[2]
    made.replace((TOOLS[2], tool("new:one")))
    assert made.entries[0] is before
    assert made.entries[1].name == "one"


def test_tools_are_prepared_in_turns_and_a_query_in_between_finds_them_all() -> None:
    tools = [tool(f"files:part_{number}") for number in range(1000)]
    made = index(*tools)
    assert not made.prepare(0)
    made.filter(lambda each: each.name != "part_998")
    assert names(ToolQuery(made, "part_99")) == [
        "part_99",
        *(f"part_{n}" for n in range(990, 1000) if n != 998),
    ]
    assert made.prepare(0)


def test_what_is_shown_is_prepared_before_somebody_searches(qtbot: QtBot) -> None:
    search = ToolSearch()
    search.replace_tools([tool(f"files:part_{number}") for number in range(1000)])
    assert search.found_count == search.tool_count == 1000
    qtbot.waitUntil(lambda: search.is_prepared)
    search.look_for("part_7")
    assert search.found_count == 111
