"""The terminal reaches everything of the protocol over each transport, in each era."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.server_commands import FOLDER
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal

SCRIPT = "whole_protocol"
WAYS = [
    pytest.param(transport, era, id=f"{transport}-{era}")
    for transport in ("stdio", "http", "sse")
    for era in ("legacy", "2026-07-28")
]
COMMANDS = {
    "tools --json": (0, '"count"'),
    "call add a=2 b=3": (0, "5\n"),
    "call count to=3": (0, "counted to 3\n"),
    'call meet --elicit {"name":"Ada"}': (0, "Ada, 30\n"),
    "call meet": (0, "DeclinedElicitation\n"),
    "call think": (1, ""),
    "call pay": (1, ""),
    "resources --json": (0, '"note://item/{number}"'),
    "resources --read note://one": (0, "# One\n"),
    "resources --template note://item/{number} number=7": (0, "item 7\n"),
    "prompts --json": (0, '"greet"'),
    "prompts greet who=Ada": (0, "[user]\nHello Ada\n"),
}
"""Each with its exit code and what it prints, the beginning of it."""


@pytest.fixture
def reaching(transport: str, era: str, terminal: Terminal) -> Iterator[Terminal]:
    if transport == "stdio":
        command = {"command": sys.executable, "args": [str(FOLDER / f"{SCRIPT}.py")]}
        terminal.configure(whole={**command, "era": era})
        yield terminal
        return
    with WebServer(transport, script=SCRIPT) as web:
        url = web.config().url
        terminal.configure(whole={"type": transport, "url": url, "era": era})
        yield terminal


@pytest.mark.exhaustive
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("transport", "era"), WAYS)
def test_every_command_works(reaching: Terminal) -> None:
    wrong: list[str] = []
    for command, (code, text) in COMMANDS.items():
        done = reaching.run(*command.split())
        is_told = text in done.out if text.startswith('"') else done.out.startswith(text)
        if done.code != code or not is_told:
            wrong.append(f"{command}: {done}")
    assert not wrong, "\n".join(wrong)
