from __future__ import annotations

import pytest

from desktop.gui.servers.command_line import split_command_line


def test_a_line_of_a_readme_is_taken_apart() -> None:
    line = split_command_line("$ npx -y @modelcontextprotocol/server-everything '/a b'")
    assert line is not None
    assert line.command == "npx"
    assert line.args == ("-y", "@modelcontextprotocol/server-everything", "/a b")


def test_variables_in_front_of_the_command_go_to_the_environment() -> None:
    line = split_command_line("API_KEY=k LOG=1 uvx server")
    assert line is not None
    assert (line.command, line.args) == ("uvx", ("server",))
    assert line.env == {"API_KEY": "k", "LOG": "1"}


@pytest.mark.parametrize("text", ["npx", "", "  ", "it's", "A=1"])
def test_what_is_no_command_line_is_left_alone(text: str) -> None:
    assert split_command_line(text) is None
