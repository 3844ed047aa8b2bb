"""A name means one tool, or the answer says what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.errors import ToolNotFoundError
from desktop.tools.finding import find_tool
from tests.tools.one_tool import OneTool

if TYPE_CHECKING:
    from desktop.tools.adapter import Tool

LISTED: list[Tool] = [
    OneTool("files", "read"),
    OneTool("files", "search"),
    OneTool("web", "search"),
    OneTool("web", "a:b"),
]


def on(tool: Tool) -> bool:
    return tool.definition.key != "web:search"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("files:read", "files:read"),
        ("read", "files:read"),
        ("a:b", "web:a:b"),
        ("search", "files:search"),
    ],
)
def test_a_key_or_a_name_that_one_server_has_is_enough(name: str, key: str) -> None:
    assert find_tool(name, LISTED, on).definition.key == key


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("web:search", "'web:search' is switched off"),
        ("serch", r"Did you mean files:search\?"),
        ("zzz", "There are files:read, files:search, web:a:b"),
    ],
)
def test_what_cannot_be_called_is_told_and_never_proposed(name: str, said: str) -> None:
    with pytest.raises(ToolNotFoundError, match=said):
        find_tool(name, LISTED, on)


def test_what_two_tools_could_mean_is_asked_back() -> None:
    with pytest.raises(ToolNotFoundError, match=r"Say files:search, web:search\."):
        find_tool("search", LISTED, lambda _: True)


def test_without_tools_the_answer_says_why() -> None:
    with pytest.raises(ToolNotFoundError, match="No server with tools is connected"):
        find_tool("search", [], on)
