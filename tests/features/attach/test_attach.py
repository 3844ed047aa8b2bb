"""Commands that go through a run which has the servers: real processes, of the daemon, too."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import psutil
import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs Unix sockets", allow_module_level=True)

from desktop import __version__
from desktop.features.attach import protocol
from tests.cli.terminal import LIMIT, ROOT, daemon, entry, interrupt, servers_of
from tests.cli.test_runner import wait_for_file
from tests.server_commands import FOLDER
from tests.servers.base import is_object

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from tests.cli.terminal import Terminal


@pytest.fixture
def held(terminal: Terminal, request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    """A daemon of a test's own; parametrized, with an interpreter of its own."""
    terminal.configure(
        plain=entry("plain"),
        counts=entry("counts"),
        waiting=entry("waiting"),
        off=entry("counts", enabled=False),
    )
    with daemon(terminal, own_interpreter=getattr(request, "param", False)) as process:
        yield process


@pytest.fixture
def talking(terminal: Terminal) -> Iterator[Terminal]:
    """A daemon with servers of every kind."""
    terminal.configure(
        plain=entry("plain"),
        whole={"command": sys.executable, "args": [str(FOLDER / "whole_protocol.py")]},
        dead=entry("exits_at_start", enabled=False),
    )
    with daemon(terminal):
        yield terminal


def test_a_server_keeps_its_state_from_one_command_to_the_next(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    counts = [terminal.run("call", "counts:count", own_interpreter=True).out for _ in range(3)]
    assert counts == ["1\n", "2\n", "3\n"]
    assert terminal.run("call", "counts:count", "--no-attach").out == "1\n"


def test_a_server_that_is_off_is_started_by_the_first_call_and_stays(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    assert [terminal.run("call", "off:count").out for _ in range(2)] == ["1\n", "2\n"]
    # It is nobody's for a bare name, as it would be alone.
    assert terminal.run("call", "count").out == "1\n"


TIMES = {"execution_time", "timestamp", "call_id", "seconds", "pid"}
COMMANDS = [
    "call plain:add a=2 b=3",
    "call add a=2 b=3 --json",
    "call plain:add a=two b=3",
    "call plain:echo message=x more=1 --no-validate --json",
    "call plain:fail message=no",
    "call plain:nothing",
    "call dead:nothing",
    "call dead:nothing --json",
    "call nobody:nothing",
    "call",
    "call plain:structured",
    "call plain:broken_structured",
    "call plain:image",
    'call whole:meet --elicit {"name":"Ada"}',
    'call whole:meet --elicit {"nobody":"asked"}',
    "call whole:meet",
    "call whole:count to=3",
    "call plain:slow seconds=60 --timeout 0.1",
    "tools",
    "tools --json",
    "tools --server dead",
    "tools --format gemini",
    "resources --server whole --json",
    "resources --server whole --read note://one",
    "prompts --server whole",
    "prompts --server whole greet who=Ada",
    "servers",
    "servers --nonsense",
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "commands", [COMMANDS[::3], pytest.param(COMMANDS, marks=pytest.mark.exhaustive)]
)
def test_a_command_answers_as_it_does_alone(talking: Terminal, commands: list[str]) -> None:
    wrong: list[str] = []
    for words in commands:
        done = talking.run(*words.split())
        alone = talking.run(*words.split(), "--no-attach")
        same_text = comparable(done.out) == comparable(alone.out)
        if not same_text or (done.code, comparable(done.err)) != (
            alone.code,
            comparable(alone.err),
        ):
            wrong.append(f"{words}: {done}, but {alone}")
    assert not wrong, "\n".join(wrong)


def comparable(text: str) -> object:
    """Without what differs from one run to the next: times, and a usage that names a flag."""
    try:
        return without_times(json.loads(text))
    except ValueError:
        return [[word for word in line.split() if word[:1] not in "0123456789"] for line in text]


def without_times(value: Any) -> Any:
    if is_object(value):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return (
        [without_times(each) for each in cast("list[Any]", value)]
        if isinstance(value, list)
        else value
    )


def test_a_server_that_a_call_ended_is_there_for_the_next_command(talking: Terminal) -> None:
    ended = talking.run("call", "plain:add", "a=two", "--no-validate")
    assert ended.code == 3
    again = talking.run("call", "plain:add", "a=2", "b=3")
    assert (again.code, again.out) == (0, "5\n"), again.err


def test_what_a_command_reads_is_read_in_its_own_folder_and_from_its_own_input(
    terminal: Terminal, held: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "sum.json").write_text('{"a": 20, "b": 3}', encoding="utf-8")

    def run(*args: str, stdin: str = "") -> str:
        command = [sys.executable, "-m", "desktop", "call", *args]
        done = subprocess.run(
            command, cwd=tmp_path, input=stdin, encoding="utf-8", capture_output=True,
            env=terminal.environment | {"PYTHONPATH": str(ROOT)}, timeout=LIMIT, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("plain:add", "--args", "@sum.json") == "23\n"
    assert run("plain:add", "--args=-", stdin='{"a": 1, "b": 1}') == "2\n"
    run("plain:image", "--output", "pictures")
    assert (tmp_path / "pictures" / "image-1.png").stat().st_size == 69


def test_arguments_that_were_read_are_not_read_once_more(
    terminal: Terminal, held: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "sum.json").write_text('{"a": 20, "b": 3}', encoding="utf-8")
    done = terminal.run("call", "plain:add", "--args", "-", stdin=f"@{tmp_path / 'sum.json'}")
    assert done.code == 2
    assert "not JSON" in done.err


def test_a_person_at_the_terminal_is_asked_and_sees_the_progress(talking: Terminal) -> None:
    code, shown = talking.type("y\nAda\n\ny\n", "call", "whole:meet")
    assert code == 0, shown
    assert "Request from whole:" in shown
    assert "Ada, 30" in shown
    code, shown = talking.watch("call", "plain:slow", "seconds=0.4", "steps=2")
    assert code == 0
    assert "step 1 of 2" in shown
    assert "done after 2 steps" in shown


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_ended_cancels_its_call_and_nothing_else(
    number: signal.Signals, terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    file = terminal.folder / "running"
    process = terminal.start("call", "waiting:write_and_wait", f"path={file}")
    wait_for_file(file, process)
    assert interrupt(process, number) == (-9 if number == signal.SIGKILL else 130)
    wait_for_file(terminal.folder / "running.cancelled", held)
    assert terminal.run("call", "counts:count").out == "1\n"


def test_an_interrupted_command_answers_with_a_document(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    file = terminal.folder / "running"
    process = terminal.start("call", "waiting:write_and_wait", f"path={file}", "--json")
    wait_for_file(file, process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert json.loads(out)["error"]["code"] == "cancelled"


@pytest.mark.parametrize("held", [True], indirect=True)
def test_nothing_is_left_of_a_daemon_that_is_killed_and_its_command_says_so(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    file = terminal.folder / "running"
    process = terminal.start("call", "waiting:write_and_wait", f"path={file}")
    wait_for_file(file, process)
    servers = servers_of(held)
    assert len(servers) >= 4
    held.kill()
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 3
    assert "may have had effects" in err
    held.communicate(timeout=LIMIT)
    assert psutil.wait_procs(servers, timeout=LIMIT)[1] == []
    # What it left of its socket is no hindrance.
    assert terminal.run("call", "counts:count").out == "1\n"
    with daemon(terminal):
        assert [terminal.run("call", "counts:count").out for _ in range(2)] == ["1\n", "2\n"]


def test_a_daemon_ends_by_itself_with_its_servers_when_nobody_asks(terminal: Terminal) -> None:
    terminal.configure(counts=entry("counts"))
    with daemon(terminal, "--idle", "0.5", own_interpreter=True) as process:
        servers = servers_of(process)
        process.communicate(timeout=LIMIT)
        assert process.returncode == 0
        assert not any(psutil.pid_exists(server.pid) for server in servers)
    assert not (terminal.folder / "data" / protocol.SOCKET).exists()


def test_a_daemon_does_not_end_while_a_command_runs(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    with daemon(terminal, "--idle", "1") as process:
        done = terminal.run("call", "plain:slow", "seconds=1.5", "steps=1")
        assert done.out == "done after 1 steps\n"
        process.communicate(timeout=LIMIT)
        assert process.returncode == 0


def test_a_second_daemon_says_that_there_is_one(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    done = terminal.run("daemon")
    assert done.code == 2
    assert "already runs the servers" in done.err


def test_another_config_is_not_answered_by_this_daemon(
    terminal: Terminal, held: subprocess.Popen[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"mcpServers": {"counts": entry("counts")}}), encoding="utf-8")
    assert terminal.run("trust", "counts", "--yes", "--config", str(other)).code == 0
    for _ in range(2):
        assert terminal.run("call", "counts:count", "--config", str(other)).out == "1\n"


def test_servers_of_the_environment_are_not_answered_by_a_daemon_without_them(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    terminal.environment["MCP_SERVERS"] = json.dumps({"more": entry("counts")})
    for _ in range(2):
        assert terminal.run("call", "more:count").out == "1\n"


def test_what_nobody_agreed_to_is_not_started_by_a_daemon_either(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    assert terminal.run("servers").code == 0
    terminal.configure(counts=entry("counts"), added=entry("counts"))
    attached = terminal.run("call", "added:count")
    alone = terminal.run("call", "added:count", "--no-attach")
    assert (attached.code, attached.err) == (alone.code, alone.err)
    assert attached.code == 2
    assert "mcp-desktop trust" in attached.err
    terminal.run("trust", "added", "--yes")
    assert terminal.run("call", "added:count").out == "1\n"


def test_a_broken_config_stops_no_server(terminal: Terminal, held: subprocess.Popen[str]) -> None:
    good = terminal.config.read_bytes()
    assert terminal.run("call", "counts:count").out == "1\n"
    terminal.config.write_bytes(b"{")
    assert terminal.run("call", "counts:count").code == 2
    terminal.config.write_bytes(good)
    assert terminal.run("call", "counts:count").out == "2\n"


def test_only_the_owner_can_reach_the_socket_and_nothing_told_is_logged(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    file = terminal.folder / "data" / protocol.SOCKET
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    terminal.run("call", "plain:echo", "message=hush-hush")
    log = (terminal.folder / "data" / "logs" / "app.log").read_text(encoding="utf-8")
    assert "a terminal's call runs here" in log
    assert "hush-hush" not in log


def test_another_user_is_no_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert protocol.is_own(one)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert not protocol.is_own(one)


def test_who_does_not_greet_as_this_version_does_is_sent_away(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    for line in (
        b"raise\n",
        b"[]\n",
        b'{"protocol": 0}\n',
        b'{"protocol": 1, "version": "0.0.0"}\n',
        b"",
        b"[" * 100_000 + b"\n",
    ):
        with reached(terminal) as connection:
            connection.sendall(line)
            connection.shutdown(socket.SHUT_WR)
            answer = read_all(connection)
        assert b'"ok"' not in answer, line[:40]
    assert terminal.run("call", "plain:add", "a=1", "b=1").out == "2\n"


def test_what_is_no_command_ends_the_connection(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    greeting = {
        "protocol": protocol.PROTOCOL,
        "version": __version__,
        "config": str(terminal.config),
        "servers": "",
        "word": [False, False],
    }
    frames: tuple[dict[str, object], ...] = (
        {},
        {"command": "daemon", "args": [], "terminal": {}},
        {"command": "call", "args": "counts:count", "terminal": {}},
    )
    for frame in frames:
        with reached(terminal) as connection:
            connection.sendall(protocol.encode(greeting) + protocol.encode(frame))
            assert read_all(connection) == protocol.encode({"ok": True}), frame


def test_a_data_folder_with_a_long_path_works_too(terminal: Terminal) -> None:
    terminal.configure(counts=entry("counts"))
    terminal.environment["MCP_DESKTOP_DATA"] = str(terminal.folder / ("long" * 40))
    with daemon(terminal):
        assert [terminal.run("call", "counts:count").out for _ in range(2)] == ["1\n", "2\n"]


def test_an_attached_command_imports_neither_asyncio_nor_the_arguments(
    terminal: Terminal, held: subprocess.Popen[str]
) -> None:
    code = (
        "import sys; from desktop.__main__ import main;"
        "main(['call', 'plain:add', 'a=1', 'b=1']);"
        "print(*sorted({'asyncio', 'argparse', 'mcp', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=terminal.environment,
        encoding="utf-8", capture_output=True, timeout=LIMIT, check=True,
    )  # fmt: skip
    assert done.stdout == "2\n\n"


@contextmanager
def reached(terminal: Terminal) -> Generator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(LIMIT)
        connection.connect(str(terminal.folder / "data" / protocol.SOCKET))
        yield connection


def read_all(connection: socket.socket) -> bytes:
    answer = b""
    while part := connection.recv(4096):
        answer += part
    return answer
