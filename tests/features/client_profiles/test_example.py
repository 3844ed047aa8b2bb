"""The example of docs/clients.md: its server says what the page prints."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

PAGE = (Path(__file__).parents[3] / "docs" / "clients.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_server_of_the_page_comes_through_as_the_page_says(
    terminal: Terminal, tmp_path: Path
) -> None:
    (program,) = blocks("python")
    file = tmp_path / "server.py"
    file.write_text(program, "utf-8")
    server = f"notes={sys.executable} {shlex.quote(str(file))}"
    for block, call in zip(blocks("text"), (None, "list_notes"), strict=False):
        command, *printed = block.splitlines()
        if call is not None:
            assert terminal.run("call", call, "--server", server).code == 0
        words = shlex.split(command.removeprefix("$ mcp-desktop "))
        said = terminal.run(*(server if word.startswith("notes=") else word for word in words))
        assert said.code == 0, said
        assert [line for line in printed if line not in said.out.splitlines()] == []
