"""A tool that is gone is remembered as it was, up to a bound."""

from __future__ import annotations

from desktop.gui.tools.page import KnownTools
from tests.gui.tools.fakes import tool


def test_a_tool_that_is_gone_is_remembered_as_it_was_and_forgotten_when_it_returns() -> None:
    known = KnownTools()
    old, new = tool("s:a", title="old"), tool("s:a", title="new")
    known.replace([old, tool("s:b")])
    known.replace([tool("s:b")])
    assert (known.now("s:a"), known.last("s:a")) == (None, old)
    known.replace([new])
    assert known.last("s:a") == new
    assert known.last("s:none") is None


def test_the_memory_of_gone_tools_is_bounded() -> None:
    known = KnownTools()
    known.replace([tool(f"s:{n}") for n in range(3000)])
    known.replace([])
    assert known.tools == []
    assert sum(known.last(f"s:{n}") is not None for n in range(3000)) == 1000
    assert known.last("s:2999") is not None
