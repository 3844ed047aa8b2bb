from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from desktop.base.errors import ConfigError, UsageError
from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap
from desktop.cli.options import Options
from desktop.cli.output import Console
from desktop.cli.runner import connect, enabled_servers, failed, named_server
from desktop.core import build_core_on
from desktop.processes.ledger import Ledger
from desktop.processes.tracker import McpProcessTracker
from tests.cli.terminal import ROOT, entry, interrupt, servers_of

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.bootstrap import Bootstrap
    from tests.cli.terminal import Terminal


def options(folder: Path) -> Options:
    return Options(config=str(folder / "mcp.json"), data_dir=str(folder / "data"))


@pytest.fixture
def ground(tmp_path: Path) -> Bootstrap:
    servers = {
        "one": entry("plain"),
        "dead": entry("exits_at_start"),
        "off": entry("plain", enabled=False),
        "wrong": {"command": 5, "args": "x"},
    }
    config = tmp_path / "mcp.json"
    config.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return build_bootstrap(Paths(config, tmp_path / "data"), own_path_first=True)


def test_only_what_is_switched_on_is_enabled(ground: Bootstrap) -> None:
    assert [config.name for config in enabled_servers(ground.store)] == ["one", "dead"]


def test_a_named_server_may_be_off_or_built_in(ground: Bootstrap) -> None:
    assert named_server(ground.store, "off").name == "off"
    assert named_server(ground.store, "calculator").source == "builtin"


def test_a_server_with_a_wrong_entry_is_told_by_its_error(ground: Bootstrap) -> None:
    with pytest.raises(ConfigError, match="wrong"):
        named_server(ground.store, "wrong")


def test_an_unknown_server_is_told_with_those_there_are(ground: Bootstrap) -> None:
    with pytest.raises(UsageError, match="one, dead, off"):
        named_server(ground.store, "two")


def test_a_missing_config_file_is_named(tmp_path: Path) -> None:
    ground = build_bootstrap(Paths(tmp_path / "none.json", tmp_path / "data"))
    with pytest.raises(UsageError, match=r"none\.json does not exist"):
        named_server(ground.store, "two")


async def test_connecting_leaves_each_server_in_the_state_it_came_to(ground: Bootstrap) -> None:
    core = build_core_on(ground)
    try:
        await connect(core, enabled_servers(ground.store), Console())
        assert core.service.get_connected_servers() == ["one"]
        assert [one.name for one in failed(core)] == ["dead"]
    finally:
        await core.close()


TRACE_LIMIT = 30.0


def start_slow_call(terminal: Terminal, *args: str) -> subprocess.Popen[str]:
    """A call that lasts; returns once the tool runs."""
    process = terminal.start(
        "call", "server:write_and_wait", f"path={terminal.folder / 'running'}", *args
    )
    wait_for_file(terminal.folder / "running", process)
    return process


def wait_for_file(file: Path, process: subprocess.Popen[str]) -> None:
    import time

    deadline = time.monotonic() + TRACE_LIMIT
    while not file.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline, f"{file} did not come"
        time.sleep(0.02)


@pytest.fixture
def waiting(terminal: Terminal) -> Terminal:
    terminal.configure(server=entry("waiting"))
    return terminal


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_cancels_the_call_at_the_server_and_leaves_nothing(
    number: str, waiting: Terminal
) -> None:
    process = start_slow_call(waiting)
    servers = servers_of(process)
    assert servers
    assert interrupt(process, signal.Signals[number]) == 130
    assert "cancelled" in waiting.server_log("server")
    assert not any(psutil.pid_exists(server.pid) for server in servers)


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_an_interruption_prints_nothing_but_the_document_that_is_waited_for(
    flags: list[str], waiting: Terminal
) -> None:
    process = start_slow_call(waiting, *flags)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=TRACE_LIMIT)
    assert (process.returncode, err) == (130, "")
    assert [json.loads(out)["error"]["code"]] == ["cancelled"] if flags else not out


def test_what_a_killed_run_left_is_ended_before_anything_is_started(terminal: Terminal) -> None:
    terminal.configure(server=entry("plain"))
    left = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True)
    ledger = Ledger(terminal.folder / "data" / "processes", McpProcessTracker())
    ledger.add(left.pid, "files", McpProcessTracker.new_marker())
    assert ledger.path is not None
    ledger.path.rename(ledger.path.with_stem("4194305-1"))
    process = terminal.start("call", "server:echo", "text=hi", "--verbose")
    _, err = process.communicate(timeout=TRACE_LIMIT)
    left.communicate()
    assert left.returncode == -signal.SIGTERM
    assert f"files (cat, PID {left.pid}) was left by an earlier run and ended now" in err
    assert list((terminal.folder / "data" / "processes").iterdir()) == []


def test_a_second_interrupt_kills_at_once(terminal: Terminal) -> None:
    terminal.configure(server=entry("waiting", "--stubborn"))
    process = start_slow_call(terminal)
    servers = servers_of(process)
    process.send_signal(signal.SIGINT)
    wait_for_file(terminal.folder / "running.cancelled", process)
    assert interrupt(process) == 130
    assert not any(server.is_running() and server.status() != "zombie" for server in servers)


def test_an_interrupt_while_a_server_is_closed_still_leaves_nothing(terminal: Terminal) -> None:
    terminal.configure(server=entry("stubborn"))
    process = terminal.start("tools", "--server", "server")
    assert process.stdout is not None
    process.stdout.readline()
    servers = servers_of(process)
    assert interrupt(process) == 130
    assert not any(server.is_running() and server.status() != "zombie" for server in servers)


def test_an_interrupt_while_servers_start_leaves_nothing(terminal: Terminal) -> None:
    terminal.configure(server=entry("silent"))
    process = terminal.start("servers")
    log = terminal.folder / "data" / "logs"
    wait_for_file(log, process)
    assert interrupt(process) == 130


def test_a_command_needs_no_window_and_no_sdk_until_it_is_known_to_be_right() -> None:
    script = (
        "import sys\n"
        "from desktop.cli.main import run_command\n"
        "code = run_command(['call', 'nobody:tool'])\n"
        "print(code, [n for n in ('mcp', 'PySide6', 'qasync', 'jsonschema') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "2 []"


def test_a_call_imports_no_window(terminal: Terminal) -> None:
    terminal.configure(server=entry("plain"))
    terminal.environment["PYTHONPROFILEIMPORTTIME"] = "1"
    said = terminal.run("call", "server:echo", "message=hi").err
    assert "mcp.client" in said
    assert "PySide6" not in said
    assert "qasync" not in said


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        ("doctor", "mcp"),
        ("import", "asyncio"),
        ("export", "desktop.bootstrap"),
        ("builtin", "builtin_servers.launch"),
    ],
)
def test_the_help_of_a_command_does_not_import_what_its_run_needs(command: str, heavy: str) -> None:
    script = (
        "import sys\n"
        "from desktop.cli.main import run_command\n"
        f"code = run_command([{command!r}, '--help'])\n"
        f"print(code, {heavy!r} in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "0 False"


def test_a_program_on_the_own_path_is_started_without_asking_the_login_shell(
    terminal: Terminal,
) -> None:
    asked = terminal.folder / "asked"
    shell = terminal.folder / "shell"
    shell.write_text(f'#!/bin/sh\ntouch {asked}\nexec /bin/sh "$@"\n', encoding="utf-8")
    shell.chmod(0o755)
    terminal.environment["SHELL"] = str(shell)
    terminal.configure(server=entry("plain"), missing={"command": "no-such-program"})
    assert terminal.run("call", "server:echo", "message=hi").code == 0
    assert not asked.exists()
    assert terminal.run("call", "missing:echo").code == 3
    assert asked.exists()
