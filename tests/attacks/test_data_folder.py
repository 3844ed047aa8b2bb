"""The data folder: pipes where files should be, open umasks, full disks."""

from __future__ import annotations

import json
import logging
import os
import stat
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("pipes in folders and modes are of POSIX", allow_module_level=True)

from desktop.base import private_files
from desktop.base.file_lock import FileLock
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
from desktop.diagnostics import logs
from desktop.diagnostics.crash_reports import CrashReports
from desktop.gui.single_instance import SingleInstance
from desktop.gui.window_state import WindowState
from desktop.history.database import open_file
from desktop.processes.ledger import read_ledger
from desktop.processes.orphan_cleanup import OrphanCleanup
from desktop.servers.context import ProtocolEraCache
from desktop.servers.transport.stderr_log import StderrLog
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import ExpectedLogs

pytestmark = [
    pytest.mark.timeout(20),  # a pipe that is waited for is waited for without an end
]


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    before, raises = list(root.handlers), logging.raiseExceptions
    yield root
    for handler in [each for each in root.handlers if each not in before]:
        root.removeHandler(handler)
        handler.close()
    logging.raiseExceptions = raises


def lock(path: Path) -> None:
    FileLock(path).take()


def remember_era(path: Path) -> None:
    config = ServerConfig(name="a", transport="stdio", command="true")
    assert ProtocolEraCache(path).mode(config) == "auto"


def watch_for_crashes(folder: Path) -> None:
    """In a run of its own, which then ends in the middle."""
    code = f"from pathlib import Path; CrashReports(Path({str(folder)!r}), Path()).watch()"
    code = f"from desktop.diagnostics.crash_reports import CrashReports; {code}"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LIMIT)


OPENERS: list[Callable[[Path], object]] = [
    read_ledger,
    lock,
    open_file,
    remember_era,
    lambda path: private_files.open_private(path, os.O_RDWR | os.O_APPEND),
    lambda path: private_files.open_private(path, os.O_RDONLY),
    lambda path: ConfigStore(path).load(),
]


@pytest.mark.parametrize("open_it", OPENERS)
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(
    open_it: Callable[[Path], object], pipe: Path, expected_logs: ExpectedLogs
) -> None:
    if open_it is remember_era:
        expected_logs.expect("it is not a file")
    with suppress(OSError):
        open_it(pipe)
    (pipe,) = pipe.parent.glob("pipe*")  # it may have had to make room
    assert stat.S_ISFIFO(pipe.stat().st_mode)


async def test_a_pipe_among_the_ledgers_does_not_stop_a_start(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "999999-1.jsonl")
    cleanup = OrphanCleanup(tmp_path)
    assert await cleanup.run() == ()
    assert "not a file" in cleanup.problem


def test_a_pipe_in_the_place_of_the_log_costs_the_log(
    tmp_path: Path, root_logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / logs.FILE)
    logs.configure(tmp_path)
    for _ in range(20):
        root_logger.info("a record")
    assert capsys.readouterr().err.count("the log cannot be written") == 1


def test_a_pipe_in_the_place_of_a_server_s_log_costs_that_log(
    pipe: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("no log file for this server")
    log = StderrLog(pipe)
    log.add("one", "two")
    assert list(log.lines) == ["one", "two"]


def test_a_pipe_in_the_place_of_a_native_trace_is_no_report(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "999999.native")
    watch_for_crashes(tmp_path)
    assert CrashReports(tmp_path, tmp_path).new() == []


def test_a_pipe_in_the_place_of_the_window_s_memory_is_put_aside(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"window\.ini is damaged: it is not a file")
    os.mkfifo(tmp_path / "window.ini")
    state = WindowState(tmp_path / "window.ini")
    state.page = "tools"
    state.save()
    assert WindowState(tmp_path / "window.ini").page == "tools"


# --- modes ------------------------------------------------------------------------------------


@pytest.fixture(params=[0o000, 0o002, 0o022])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Everything below `folder`, itself included, that others may read, write or enter."""
    return [
        f"{path.relative_to(folder)} {mode:o}"
        for path in (folder, *folder.rglob("*"))
        if (mode := stat.S_IMODE(path.lstat().st_mode)) & 0o077
    ]


@pytest.mark.usefixtures("umask")
def test_what_a_run_of_the_terminal_leaves_is_the_owner_s_alone(tmp_path: Path) -> None:
    program, arguments = command("floods_stderr")
    config = tmp_path / "mcp.json"
    entry = {"command": program, "args": arguments, "connectTimeout": 5}
    config.write_text(json.dumps({"mcpServers": {"noisy": entry}}))
    config.chmod(0o600)
    tmp_path.chmod(0o700)
    data = tmp_path / "new" / "data"
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "servers", "--config", config, "--data-dir", data],
        capture_output=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    names = {path.name for path in data.rglob("*")}
    assert "noisy.log" in names
    assert open_to_others(tmp_path / "new") == []


@pytest.mark.usefixtures("umask", "qapp")
def test_what_the_window_leaves_is_the_owner_s_alone(tmp_path: Path) -> None:
    data = tmp_path / "data"
    state = WindowState(data / "window.ini")
    state.page = "tools"
    state.save()
    instance = SingleInstance(data)
    assert instance.claim() == "first"
    instance.listen(lambda _: None)
    watch_for_crashes(data / "crashes")
    CrashReports(data / "crashes", data).write(ValueError("x"), "a test")
    open_file(data / "history.sqlite3").close()
    found, kinds = open_to_others(data), {path.name for path in data.rglob("*")}
    instance.close()
    assert found == []
    assert kinds >= {"window.ini", "window.lock", "window.sock", "history.sqlite3"}
    assert any(name.endswith(".native") for name in kinds)


def test_a_folder_that_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    (tmp_path / "processes").mkdir()
    (tmp_path / "logs").mkdir()
    tmp_path.chmod(0o755)
    private_files.close_to_others(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_a_folder_that_holds_other_things_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "processes").mkdir()
    (tmp_path / "website").mkdir()
    tmp_path.chmod(0o755)
    private_files.close_to_others(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_a_log_that_an_earlier_version_left_open_is_closed(tmp_path: Path) -> None:
    file = tmp_path / "s.log"
    file.write_text("old\n")
    file.chmod(0o644)
    log = StderrLog(file)
    log.add("new")
    log.close()
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("old\nnew\n", 0o600)


# --- a full disk ------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a file that is always full")
def test_a_full_disk_floods_no_tracebacks(
    tmp_path: Path, root_logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure(tmp_path)
    (handler,) = [
        each for each in root_logger.handlers if isinstance(each, logs.PrivateRotatingFile)
    ]
    with open("/dev/full", "w", encoding="utf-8") as full:
        handler.stream = full
        for _ in range(50):
            root_logger.info("a record")
        handler.stream = None
        with suppress(OSError):
            full.close()
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("the log cannot be written") == 1
