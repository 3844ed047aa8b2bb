"""The first decision of a run: what it is, before anything heavy is imported."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop.__main__ import main
from desktop.base.paths import builtin_command
from desktop.cli import commands
from tests.cli.terminal import ROOT

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("mcp", "pydantic", "psutil", "asyncio", "PySide6.QtCore", "argparse")


def modules_after(*args: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    """Which of the heavy modules a run with these arguments has imported at its end."""
    script = (
        "import sys\n"
        "from desktop.__main__ import main\n"
        f"main({list(args)!r})\n"
        f"sys.stderr.write(' '.join(n for n in {heavy!r} if n in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


def test_a_built_in_server_imports_nothing_of_the_app() -> None:
    assert modules_after("builtin", "calculator") == set()


def test_help_imports_neither_the_window_nor_the_sdk() -> None:
    assert modules_after("--version") <= {"argparse"}


@pytest.mark.skipif(sys.platform != "linux", reason="started otherwise elsewhere")
def test_the_guardian_imports_next_to_nothing() -> None:
    assert modules_after("guardian", heavy=(*HEAVY, "json", "subprocess")) == set()


def test_a_command_is_run_on_the_terminal_whatever_the_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["builtin"]) == 0
    assert "calculator" in capsys.readouterr().out
    assert main(["nonsense"]) == 2


def test_started_by_its_path_without_site_packages_it_serves_a_built_in_server() -> None:
    script = ROOT / "desktop" / "__main__.py"
    argv = [sys.executable, "-I", "-S", str(script), "builtin", "time"]
    done = subprocess.run(argv, input="", capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_command_that_the_app_writes_for_a_built_in_server_serves_it() -> None:
    program, args = builtin_command("calculator")
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n"
    done = subprocess.run(
        [program, *args], input=ping, capture_output=True, text=True, check=True, cwd="/"
    )
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_an_unknown_built_in_server_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["builtin", "nothing"]) == 2
    assert "'nothing'" in capsys.readouterr().err


def test_a_run_is_marked_at_its_start_and_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("MCP_DESKTOP_TRACE", str(trace))
    modules_after("--version")
    events = [json.loads(line)["event"] for line in trace.read_text("utf-8").splitlines()]
    assert (events[0], events[-1]) == ("start", "quit")


@pytest.mark.skipif(sys.platform != "linux", reason="Qt's libraries of Linux")
def test_a_library_that_qt_would_abort_without_is_named_with_its_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert commands.why_no_window({"libc.so.6": ("libc6", "glibc")}) == ""
    missing = {"libnot-there.so.0": ("libnot-there0", "not-there"), "libc.so.6": ("libc6", "glibc")}
    words = commands.why_no_window(missing)
    assert "libnot-there.so.0" in words
    assert "apt install libnot-there0 " in words
    assert "dnf install not-there)" in words
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert commands.why_no_window(missing) == ""
