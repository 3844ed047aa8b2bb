"""How a command ends: at once, and with all that has to happen first."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.cli.terminal import ROOT

_RUN = """
import atexit, logging, sys, threading, time
import desktop.__main__ as program
class Freed:
    def __del__(self):
        print("freed")
program.kept = Freed()
atexit.register(print, "registered")
{before}
sys.argv = ["mcp-desktop", *{args!r}]
program.run()
"""


def leave(*args: str, before: str = "") -> subprocess.CompletedProcess[str]:
    code = _RUN.format(before=before, args=list(args))
    argv = [sys.executable, "-c", code]
    return subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)


def test_what_is_registered_for_the_end_runs_and_nothing_is_freed() -> None:
    done = leave("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("mcp-desktop ")
    assert done.stdout.splitlines()[1:] == ["registered"]


def test_the_exit_code_is_that_of_the_command() -> None:
    done = leave("nonsense")
    assert (done.returncode, done.stdout) == (2, "registered\n")
    assert "nonsense" in done.stderr


def test_a_thread_that_still_works_is_waited_for() -> None:
    work = """
def work():
    while threading.main_thread().is_alive():
        time.sleep(0.01)
    print("worked")
threading.Thread(target=work).start()
"""
    done = leave("--version", before=work)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == ["worked", "registered", "freed"]


def test_a_reader_that_left_is_no_error_of_the_command_itself() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    argv = [sys.executable, "-m", "desktop", "--version"]
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            argv, cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 120)  # as Python ends where it cannot write out what is left
