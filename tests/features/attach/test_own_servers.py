"""Commands that start servers of their own, although a run is there that has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.features.attach import protocol
from tests.cli.terminal import daemon, entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

pytestmark = pytest.mark.skipif(not protocol.IS_SUPPORTED, reason="needs Unix sockets")


def test_a_test_meets_each_server_as_it_starts_whatever_was_called_before(
    terminal: Terminal,
) -> None:
    terminal.configure(counts=entry("counts"))
    call = {"name": "first", "tool": "counts:count", "arguments": {}, "expect": {"contains": "1"}}
    file = terminal.folder / "calls.json"
    file.write_text(json.dumps(call), encoding="utf-8")
    with daemon(terminal):
        assert [terminal.run("call", "counts:count").out for _ in range(3)] == ["1\n", "2\n", "3\n"]
        for _ in range(2):
            done = terminal.run("test", str(file))
            assert done.code == 0, done.out + done.err
        assert terminal.run("call", "counts:count").out == "4\n"
