"""The window as a process of its own: painted first, ended in order, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psutil
import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from desktop.gui.language import configured_language
from desktop.gui.last_known.snapshot import (
    KnownContent,
    KnownSection,
    KnownServer,
    KnownTool,
    stamp_of,
    write_snapshot,
)
from desktop.processes.ledger import Ledger
from desktop.processes.tracker import TERMINATE_AFTER, McpProcessTracker
from tests.fifos import read_lines
from tests.patience import LIMIT
from tests.processes.test_tracker import survivors
from tests.server_commands import command

ROOT = Path(__file__).parent.parent


def start(
    folder: Path, server: str, *args: str, opened: str | None = None
) -> tuple[subprocess.Popen[str], Path]:
    """The app on a config with one test server, in its own folder; with its trace."""
    program, arguments = command(server, *args)
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (folder / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    if not (folder / "trace").exists():
        os.mkfifo(folder / "trace")
    flags = ["--config", str(folder / "mcp.json"), "--data-dir", str(folder / "data")]
    process = subprocess.Popen(
        [sys.executable, "-m", "desktop", *flags, *([opened] if opened else [])],
        cwd=ROOT,
        env={**os.environ, "MCP_DESKTOP_TRACE": str(folder / "trace")},
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, folder / "trace"


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    """A Python that runs this beside the app's modules, once it has ended."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


def events_until(trace: Path, last: str) -> list[str]:
    """The events of the trace, a pipe: reading waits until they are written."""
    seen: list[str] = []
    with closing(read_lines(trace)) as lines:
        while last not in seen:
            seen.append(json.loads(next(lines))["event"])
    return seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_window_and_its_servers_in_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    process, trace = start(tmp_path, "plain")
    assert events_until(trace, "ready") == ["start", "window_shown", "ready"]
    servers = psutil.Process(process.pid).children(recursive=True)
    assert servers  # the guardian and the keeper are among them
    process.send_signal(number)
    assert events_until(trace, "quit") == ["quit"]
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, errors
    assert not any(server.is_running() for server in servers)
    log = (tmp_path / "data" / "logs" / "app.log").read_text(encoding="utf-8")
    assert "servers at the end: 1 closed, 0 forced, 0 left" in log


def test_the_second_run_has_the_servers_of_the_first_one_in_its_first_frame(tmp_path: Path) -> None:
    for events in (
        ["start", "window_shown", "ready"],
        ["start", "window_shown", "first_content", "ready"],
    ):
        process, trace = start(tmp_path, "plain")
        assert events_until(trace, "ready") == events
        process.send_signal(signal.SIGTERM)
        events_until(trace, "quit")
        process.communicate(timeout=LIMIT)
    kept = tmp_path / "data" / "window.content.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert {tool[0] for tool in json.loads(kept.read_text("utf-8"))["tools"]} == {"one"}


@pytest.mark.parametrize("page", ["servers", "tools"])
def test_the_first_frame_imports_nothing_that_only_a_later_one_needs(
    tmp_path: Path, page: str
) -> None:
    """Each of these takes longer than the frame may take more than a bare window."""
    keep_content(tmp_path)
    (tmp_path / "data" / "window.ini").write_text(f"[window]\npage={page}\n", encoding="utf-8")
    code = """
import os, sys
from desktop.__main__ import main
import desktop.diagnostics.startup_trace as trace
def look(event):
    if event == "first_content":
        heavy = "mcp", "mcp_types", "pydantic", "jsonschema", "asyncio", "httpx2", "dataclasses"
        needed = [name for name in heavy if name in sys.modules]
        needed += [name for name in ["Qt"] if name in vars(sys.modules["PySide6.QtCore"])]
        print(needed, flush=True)
        os._exit(0)
trace.record_event = look
"""
    flags = ["--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data")]
    done = run_python(f"{code}main({flags!r})")
    assert done.stdout == "[]\n", done.stderr


def keep_content(folder: Path) -> None:
    """What a run with one server and one tool leaves for the next."""
    config = folder / "mcp.json"
    config.write_text("{}", encoding="utf-8")
    recent, section = KnownSection("recent", "", 1, True), KnownSection("one", "one", 1, True)
    server = KnownServer("one", is_builtin=False, is_enabled=True, figures="stdio")
    tool = KnownTool("one", "add", "Add", "Adds two numbers.", "read-only")
    rows = recent, 0, section, 0
    content = KnownContent(time.time(), stamp_of(config), (server,), (tool,), rows, 1)
    write_snapshot(folder / "data" / "window.content.json", content)


def test_quitting_while_a_server_still_connects_does_not_wait_for_it(tmp_path: Path) -> None:
    process, trace = start(tmp_path, "silent")
    events_until(trace, "window_shown")
    while not (servers := silent_servers(process.pid)):
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert events_until(trace, "quit") == ["quit"]
    process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert not any(server.is_running() for server in servers)


def test_quitting_as_the_pages_open_never_says_that_the_servers_are_ready(tmp_path: Path) -> None:
    code = """
from desktop.__main__ import main
from desktop.app import WindowApp
report = WindowApp._report_previous_run
def leave(app, core):
    report(app, core)
    app.quit()
WindowApp._report_previous_run = leave
"""
    program, arguments = command("silent")
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (tmp_path / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    flags = ["--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data")]
    trace = tmp_path / "trace"
    subprocess.run(
        [sys.executable, "-c", f"{code}main({flags!r})"],
        cwd=ROOT,
        env={**os.environ, "MCP_DESKTOP_TRACE": str(trace)},
        timeout=LIMIT,
        check=True,
    )
    events = [json.loads(line)["event"] for line in trace.read_text("utf-8").splitlines()]
    assert events == ["start", "window_shown", "quit"]


def silent_servers(pid: int) -> list[psutil.Process]:
    """The test server below the app; its login shell is another child, for a moment."""
    return [
        child
        for child in psutil.Process(pid).children(recursive=True)
        if any("silent.py" in argument for argument in command_line(child))
    ]


def test_what_a_killed_app_left_is_ended_and_told_at_the_next_start(tmp_path: Path) -> None:
    left = subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, start_new_session=True)
    ledger = Ledger(tmp_path / "data" / "processes", McpProcessTracker())
    ledger.add(left.pid, "files", McpProcessTracker.new_marker())
    assert ledger.path is not None
    ledger.path.rename(ledger.path.with_stem("4194305-1"))
    process, trace = start(tmp_path, "plain")
    events_until(trace, "ready")
    assert left.wait(timeout=LIMIT) == -signal.SIGTERM
    left.communicate()
    process.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    process.communicate(timeout=LIMIT)
    log = (tmp_path / "data" / "logs" / "app.log").read_text(encoding="utf-8")
    assert f"files (cat, PID {left.pid}) was left by an earlier run and ended now" in log
    assert list((tmp_path / "data" / "processes").iterdir()) == []


def test_an_app_and_its_servers_killed_with_sigkill_leave_nothing_for_long(tmp_path: Path) -> None:
    """What nothing else ended is ended by the next start."""
    process, trace = start(tmp_path, "stubborn")
    events_until(trace, "ready")
    below = psutil.Process(process.pid).children(recursive=True)
    assert below
    process.kill()
    process.communicate(timeout=LIMIT)
    again, trace = start(tmp_path, "plain")
    events_until(trace, "ready")
    _, alive = psutil.wait_procs(below, timeout=LIMIT)
    assert alive == []
    again.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    again.communicate(timeout=LIMIT)


def test_a_second_start_raises_the_first_window_and_starts_no_server(tmp_path: Path) -> None:
    process, trace = start(tmp_path, "plain")
    events_until(trace, "ready")
    servers = psutil.Process(process.pid).children(recursive=True)
    flags = ["--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data")]
    second = subprocess.run(
        [sys.executable, "-m", "desktop", *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (second.returncode, second.stdout) == (0, "")
    assert "its window was brought to the front" in second.stderr
    assert psutil.Process(process.pid).children(recursive=True) == servers
    process.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    process.communicate(timeout=LIMIT)
    assert not (tmp_path / "data" / "window.sock").exists()


def test_a_second_signal_kills_what_does_not_want_to_end(tmp_path: Path) -> None:
    process, trace = start(tmp_path, "stubborn")
    events_until(trace, "ready")
    servers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGTERM)
    while b"closing" not in log_of(tmp_path):
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    events_until(trace, "quit")
    assert time.monotonic() - began < TERMINATE_AFTER
    process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert not any(server.is_running() for server in servers)
    assert b"servers at the end: 0 closed, 1 forced, 0 left" in log_of(tmp_path)


def log_of(folder: Path) -> bytes:
    """The log as it is now; there is none before the first record."""
    path = folder / "data" / "logs" / "app.log"
    return path.read_bytes() if path.exists() else b""


def test_a_failure_of_the_run_itself_ends_the_servers(tmp_path: Path) -> None:
    marker = uuid4().hex
    program, arguments = command("stubborn", "--marker", marker)
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (tmp_path / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    code = f"""
import sys
from pathlib import Path
from desktop import app
from desktop.base.paths import Paths

async def fail(window, core):
    assert core.tracker.tracked
    raise RuntimeError("broken on purpose")

folder = Path({str(tmp_path)!r})
sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), fail))
"""
    done = run_python(code)
    assert done.returncode == 1
    assert "broken on purpose" in done.stderr
    assert b"servers at the end: 0 closed, 1 forced, 0 left" in log_of(tmp_path)
    assert survivors(marker) == []


def test_a_display_that_goes_away_is_no_crash_and_leaves_no_server(tmp_path: Path) -> None:
    """As at a logout: Qt ends every loop at once, and crashes where it is taken down."""
    program, arguments = command("stubborn")
    entries = {"mcpServers": {"one": {"command": program, "args": arguments}}}
    (tmp_path / "mcp.json").write_text(json.dumps(entries), encoding="utf-8")
    code = f"""
import asyncio, atexit, os, sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from desktop import app
from desktop.base.paths import Paths

async def lose(window, core):
    print(*(each.process.pid for each in core.tracker.tracked), flush=True)
    sys.stdin.readline()
    qt = QCoreApplication.instance()
    QTimer(qt, interval=0, timeout=lambda: qt.exit(1)).start()
    await asyncio.Event().wait()

atexit.register(os.abort)
folder = Path({str(tmp_path)!r})
sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), lose))
"""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        assert process.stdout is not None
        servers = [psutil.Process(int(pid)) for pid in process.stdout.readline().split()]
        _, errors = process.communicate(b"now\n", timeout=LIMIT)
    assert (process.returncode, b"Traceback" in errors) == (1, False), errors
    assert b"the display is gone" in log_of(tmp_path)
    assert list((tmp_path / "data" / "crashes").iterdir()) == []
    gone, alive = psutil.wait_procs(servers, timeout=LIMIT)
    assert (len(gone), alive) == (1, [])


def test_another_language_counts_from_the_next_start_which_a_click_brings(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from PySide6.QtWidgets import QPushButton
from desktop import app
from desktop.base.paths import Paths

async def choose(window, core):
    core.store.update_settings(language="zh_CN")
    buttons = window.window.findChildren(QPushButton)
    next(button for button in buttons if button.text() == "Restart now").click()

folder = Path({str(tmp_path)!r})
paths = Paths(folder / "mcp.json", folder / "data")
print(app._run(paths, choose) == app.AGAIN, flush=True)
app._start_again(["servers", "--config", str(paths.config), "--data-dir", str(paths.data)])
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True\nNAME")
    assert b"language=zh_CN" in (tmp_path / "data" / "window.ini").read_bytes()


def test_a_first_run_speaks_the_language_of_its_config(tmp_path: Path) -> None:
    settings = {"mcpDesktop": {"settings": {"language": "zh_CN"}}}
    (tmp_path / "mcp.json").write_text(json.dumps(settings), encoding="utf-8")
    assert configured_language(tmp_path / "mcp.json") == "zh_CN"
    (tmp_path / "mcp.json").write_text('{"language": "xx", broken', encoding="utf-8")
    assert configured_language(tmp_path / "mcp.json") == "system"
    assert configured_language(tmp_path / "none.json") == "system"


def test_no_source_of_a_module_is_read_while_a_thread_imports_whoever_starts_the_window(
    tmp_path: Path,
) -> None:
    code = f"""
import inspect, sys
from pathlib import Path
from desktop import app
from desktop.base.paths import Paths

inspect.getsource = lambda module: print("read:", module.__name__) or ""

async def look(window, core):
    window.quit()

folder = Path({str(tmp_path)!r})
sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), look))
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    read = done.stdout.splitlines()
    assert "read: desktop.bootstrap" not in read
    assert not [line for line in read if "pydantic" in line]


def test_the_shown_window_has_the_icon_and_the_name_of_its_desktop_entry(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication
from desktop import app
from desktop.base.paths import Paths

async def look(window, core):
    icon = window.window.windowIcon().pixmap(64, 64).toImage()
    print(icon.pixelColor(24, 20).name(), icon.pixelColor(0, 0).alpha())
    print(QGuiApplication.applicationName(), QGuiApplication.desktopFileName())
    window.quit()

folder = Path({str(tmp_path)!r})
sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), look))
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    # The class of an X11 window is the name of the app, the id of a Wayland one that of the entry.
    assert done.stdout.split() == ["#ffffff", "0", "mcp-desktop", "mcp-desktop"]
    entry = ROOT / "resources/packaging/mcp-desktop.desktop"
    assert "\nStartupWMClass=mcp-desktop\n" in entry.read_text(encoding="utf-8")


def test_files_that_it_is_started_with_are_shown_by_the_first_window(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("first.json", "second one.json")]
    for file in files:
        file.write_text('{"mcpServers": {"theirs": {"command": "never-started"}}}')
    before = {"mcpServers": {"one": {"command": command("plain")[0], "args": command("plain")[1]}}}
    process, trace = start(tmp_path, "plain", opened=str(files[0]))
    events_until(trace, "ready")
    flags = ["--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data")]
    link = "mcp-desktop://import?name=from-a-link&config=eyJjb21tYW5kIjoibnB4In0="
    for opened in (files[1].name, link):
        again = subprocess.run(
            [sys.executable, "-m", "desktop", *flags, opened],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert again.returncode == 0, again.stderr
    process.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    process.communicate(timeout=LIMIT)
    log = log_of(tmp_path).decode()
    assert [f"shown as an import: {file}" in log for file in files] == [True, True]
    assert "shown as an import: a link\n" in log  # not the link itself, which may hold a secret
    assert json.loads((tmp_path / "mcp.json").read_text()) == before


def test_a_file_that_macos_asks_to_open_while_the_app_starts_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_text('{"mcpServers": {"theirs": {"command": "never-started"}}}')
    code = f"""
import sys
from pathlib import Path
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from desktop import app
from desktop.base.paths import Paths

class Asked(app.WindowApp):
    def show(self):
        before, sys.platform = sys.platform, "darwin"
        super().show()
        sys.platform = before
        QApplication.sendEvent(QApplication.instance(), QFileOpenEvent({str(file)!r}))

async def leave(window, core):
    window.quit()

app.WindowApp = Asked
folder = Path({str(tmp_path)!r})
sys.exit(app._run(Paths(folder / "mcp.json", folder / "data"), leave))
"""
    done = run_python(code)
    assert done.returncode == 0, done.stderr
    assert f"shown as an import: {file}" in log_of(tmp_path).decode()


def test_data_that_cannot_be_written_costs_the_ledger_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where a folder should be")
    process, trace = start(tmp_path, "plain")
    events_until(trace, "ready")
    process.send_signal(signal.SIGTERM)
    events_until(trace, "quit")
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode == 0
    assert errors.count("the ledger of processes is off") == 1


def command_line(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:  # it has ended meanwhile
        return []
