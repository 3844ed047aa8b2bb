from __future__ import annotations

import subprocess
import sys

import pytest

from desktop.__main__ import has_screen, main
from tests.cli.terminal import ROOT

SCREENS = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
HEAVY = ("mcp", "pydantic", "psutil", "asyncio", "PySide6.QtCore", "argparse")


def modules_after(*args: str) -> set[str]:
    """Which of the heavy modules a run with these arguments has imported at its end."""
    script = (
        "import sys\n"
        "from desktop.__main__ import main\n"
        f"main({list(args)!r})\n"
        f"sys.stderr.write(' '.join(n for n in {HEAVY!r} if n in sys.modules))"
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


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a screen")
def test_a_screen_is_there_where_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    assert not has_screen()
    for name in SCREENS:
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            assert has_screen()


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
