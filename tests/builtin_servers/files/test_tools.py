"""What the tools of the filesystem server declare."""

from __future__ import annotations

from builtin_servers.files.tools import reading_tools, writing_tools
from builtin_servers.filesystem import Files

WRITERS = {"write_file", "edit_file", "create_directory", "move_file", "copy_file"}


def test_readers_and_writers_are_told_apart() -> None:
    files = Files([])
    hints = {
        tool.name: tool.annotations["readOnlyHint"]
        for tool in [*reading_tools(files), *writing_tools(files)]
        if tool.annotations is not None
    }
    assert {name for name, reads in hints.items() if not reads} == WRITERS
    assert len(hints) == 14


def test_what_can_destroy_says_so() -> None:
    destructive = {
        tool.name
        for tool in writing_tools(Files([]))
        if tool.annotations is not None and tool.annotations["destructiveHint"]
    }
    assert destructive == {"write_file", "edit_file", "move_file"}
