"""What a run did is in `app.log`, and with `--verbose` on stderr: servers, calls, sessions."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

SECRET = "hunter2-is-no-password"


def log_of(terminal: Terminal) -> str:
    return (terminal.folder / "data" / "logs" / "app.log").read_text("utf-8")


def events(text: str) -> list[str]:
    """The messages of a log, with what differs from run to run taken out."""
    lines = [line.partition(": ")[2] for line in text.splitlines() if " INFO desktop." in line]
    return [re.sub(r"\d+\.\d+ s|'\w{32}'", "…", line) for line in lines]


def test_a_run_logs_its_servers_and_its_calls(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    assert terminal.run("call", "plain:echo", "message=hi").err == ""
    done = terminal.run("--verbose", "call", "plain:fail")
    once = log_of(terminal).splitlines()
    told = events(log_of(terminal))
    half = len(told) // 2
    connected = next(line for line in told if "connected, " in line)
    assert told[:half] == [
        "server plain: connecting",
        connected,
        "call of 'plain:echo' by terminal started (id …)",
        "call of 'plain:echo' finished in …: success (id …)",
        "server plain: stopped",
    ]
    assert re.fullmatch(r"server plain: connected, \d+ tools, …", connected)
    assert "call of 'plain:fail' finished in …: tool_error (id …)" in told[half:]
    assert events(done.err) == told[half:]
    assert len(once) >= 2 * half


def test_why_a_server_failed_is_logged_without_its_secrets(terminal: Terminal) -> None:
    code = "import os, sys; sys.exit('no access with ' + os.environ['MY_TOKEN'])"
    broken = {"command": sys.executable, "args": ["-c", code], "env": {"MY_TOKEN": SECRET}}
    terminal.configure(broken=broken)
    done = terminal.run("--verbose", "tools")
    (failure,) = [line for line in events(log_of(terminal)) if "broken: failed: " in line]
    assert "no access with" in failure
    assert SECRET not in log_of(terminal)
    assert failure in events(done.err)
