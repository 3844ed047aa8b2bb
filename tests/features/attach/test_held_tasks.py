"""Tasks of servers that another run holds, seen by the command of that feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.features.attach import protocol
from tests.cli.terminal import daemon, entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

pytestmark = pytest.mark.skipif(not protocol.IS_SUPPORTED, reason="needs Unix sockets")


def test_a_task_of_a_server_that_keeps_none_beyond_its_end_is_there_for_the_next_command(
    terminal: Terminal,
) -> None:
    terminal.configure(builder=entry("task_server", era="legacy"), plain=entry("plain"))
    alone = ("tasks", "--server", "builder", "--no-attach")
    with daemon(terminal):
        assert terminal.run("call", "builder:work", "seconds=0").code == 0
        ((server, task, *_),) = [
            line.split() for line in terminal.run("tasks").out.splitlines()[1:]
        ]
        assert server == "builder"
        again = terminal.run("tasks", "--server", "builder", "--result", task)
        assert (again.code, again.out) == (0, "completed\n")
        assert terminal.run("tasks", "--server", "plain", "--result", task).code == 2
        assert terminal.run(*alone).out == ""
