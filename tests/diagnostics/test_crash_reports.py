"""What crashes is a process of its own, and really crashes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop import __version__
from desktop.diagnostics.crash_reports import (
    LOG_LINES,
    MAX_REPORTS,
    MAX_REPORTS_PER_RUN,
    CrashReports,
)
from tests.patience import LIMIT

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs

ROOT = Path(__file__).parent.parent.parent
SECRET = "s3cr3t-v4lue"
BEGINNING = """
import asyncio, faulthandler, sys, threading
from pathlib import Path
from desktop.diagnostics.crash_reports import CrashReports
reports = CrashReports(Path(sys.argv[1], "crashes"), Path(sys.argv[1], "logs"))
reports.watch()
"""


def crash(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run these lines in a process that keeps reports below `folder`."""
    script = BEGINNING + "\n".join(lines)
    return subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        cwd=ROOT,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


@pytest.fixture
def reports(tmp_path: Path) -> CrashReports:
    return CrashReports(tmp_path / "crashes", tmp_path / "logs")


def only(reports: CrashReports) -> str:
    (report,) = reports.new()
    return report.read_text(encoding="utf-8")


def test_what_nobody_caught_leaves_a_report_without_secrets(
    tmp_path: Path, reports: CrashReports
) -> None:
    (tmp_path / "logs").mkdir()
    lines = [f"line {number} in {tmp_path}/x" for number in range(LOG_LINES + 5)]
    (tmp_path / "logs/app.log").write_text("\n".join(lines), encoding="utf-8")
    done = crash(tmp_path, f'raise ValueError("token={SECRET}")')
    assert done.returncode == 1
    assert "ValueError" in done.stderr  # as without us
    text = only(reports)
    assert text.startswith("ValueError: nobody caught it\n")
    assert f"mcp-desktop {__version__}" in text
    assert "Traceback" in text
    assert text.rstrip().endswith(f"line {LOG_LINES + 4} in ~/x")
    assert "line 4 in" not in text
    assert SECRET not in text
    assert str(tmp_path) not in text
    if os.name == "posix":
        assert reports.new()[0].stat().st_mode & 0o077 == 0


def test_threads_and_the_loop_are_watched_too(tmp_path: Path, reports: CrashReports) -> None:
    crash(
        tmp_path,
        "thread = threading.Thread(target=lambda: 1 / 0, name='worker')",
        "thread.start(); thread.join()",
        "async def main():",
        "    loop = asyncio.get_running_loop()",
        "    reports.watch_loop(loop)",
        "    loop.call_soon(lambda: [][1])",
        "    await asyncio.sleep(0.01)",
        "asyncio.run(main())",
        "reports.close()",
    )
    texts = [report.read_text(encoding="utf-8") for report in reports.new()]
    loop, thread = sorted(text.partition("\n")[0] for text in texts)
    assert loop.startswith("IndexError: in the loop: Exception in callback main")
    assert thread == "ZeroDivisionError: in the thread worker"


def test_a_fault_in_native_code_is_a_report_at_the_next_start(
    tmp_path: Path, reports: CrashReports
) -> None:
    done = crash(tmp_path, "faulthandler._sigsegv()")
    assert done.returncode != 0
    assert reports.new() == []
    crash(tmp_path, "reports.close()")
    text = only(reports)
    assert text.startswith("a fault in native code\n")
    assert "File" in text


def test_a_run_that_ends_as_it_should_leaves_nothing(tmp_path: Path) -> None:
    crash(tmp_path, "reports.close()")
    assert list((tmp_path / "crashes").iterdir()) == []
    crash(tmp_path, "raise KeyboardInterrupt")
    assert not [file for file in (tmp_path / "crashes").iterdir() if file.suffix == ".txt"]


def test_the_number_of_reports_is_bounded(tmp_path: Path, reports: CrashReports) -> None:
    for _ in range(MAX_REPORTS_PER_RUN + 2):
        reports.write(ValueError("again"), "in a loop")
    assert len(reports.new()) == MAX_REPORTS_PER_RUN
    for number in range(MAX_REPORTS + 5):
        (tmp_path / "crashes" / f"2020-{number:02}.txt").write_text("old", encoding="utf-8")
    CrashReports(tmp_path / "crashes", tmp_path).write(ValueError("one more"), "here")
    files = sorted(file.name for file in (tmp_path / "crashes").iterdir())
    assert len(files) == MAX_REPORTS
    assert sum(name.endswith(".new.txt") for name in files) == MAX_REPORTS_PER_RUN + 1


def test_what_was_offered_is_kept_and_not_new_and_can_be_deleted(reports: CrashReports) -> None:
    reports.write(ValueError("x"), "here")
    kept = reports.offered(reports.new())
    assert reports.new() == []
    assert [report.is_file() for report in kept] == [True]
    reports.delete(kept)
    assert not kept[0].exists()


def test_a_folder_that_cannot_be_written_is_a_warning(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    expected_logs.expect("no crash report in")
    CrashReports(tmp_path / "file", tmp_path).write(ValueError("x"), "here")


def test_the_window_that_crashed_leaves_a_report(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("needs POSIX signals")
    from tests.test_app import events_until, start

    process, trace = start(tmp_path, "plain")
    events_until(trace, "ready")
    process.send_signal(signal.SIGSEGV)
    process.communicate(timeout=LIMIT)
    assert process.returncode == -signal.SIGSEGV
    reports = CrashReports(tmp_path / "data/crashes", tmp_path / "data/logs")
    before = sys.excepthook
    try:
        crash(tmp_path / "data", "reports.close()")
    finally:
        assert sys.excepthook is before
    assert "a fault in native code" in only(reports)
