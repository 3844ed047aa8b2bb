from __future__ import annotations

from desktop.gui.tools.tool_search import ToolSearch
from tests.gui.tools.fakes import after, tool


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
