"""A process is distinguished from every other one that had, has or will have its PID."""

from __future__ import annotations

import os
import subprocess
import sys

import psutil
import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("POSIX only", allow_module_level=True)

from desktop.processes.identity import Identity, current_scope, identify, is_running
from tests.faults.population import wait_unreaped


def test_a_process_keeps_its_identity_for_as_long_as_it_runs() -> None:
    own = identify(os.getpid())
    assert own is not None
    assert own == identify(os.getpid())
    assert is_running(own)


def test_another_process_with_the_same_pid_is_another() -> None:
    own = identify(os.getpid())
    assert own is not None
    assert not is_running(Identity(own.pid, own.start + "0"))


def test_who_ended_and_was_not_reaped_does_not_run() -> None:
    with subprocess.Popen(
        [sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE
    ) as process:
        identity = identify(process.pid)
        assert identity is not None
        process.kill()
        wait_unreaped(process.pid)
        assert not is_running(identity)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_a_name_full_of_brackets_does_not_confuse_it() -> None:
    rename = "import ctypes; ctypes.CDLL(None).prctl(15, b') Z 1 (', 0, 0, 0)"
    code = f"{rename}; print(1, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-S", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        identity = identify(process.pid)
        assert identity is not None
        assert identity.start.isdigit()
        process.kill()


@pytest.mark.parametrize("pid", [2**22 + 1, -1])
def test_nobody_has_a_pid_that_is_not_given(pid: int) -> None:
    assert identify(pid) is None


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_the_place_is_this_boot_of_this_host() -> None:
    scope = current_scope()
    assert scope == current_scope()
    assert scope.boot
    assert scope.namespace.startswith("pid:")


def test_without_proc_it_is_psutil_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    own = identify(os.getpid())
    assert own is not None
    assert own.start == repr(psutil.Process().create_time())
    assert identify(2**22 + 1) is None


def test_without_proc_too_who_ended_and_was_not_reaped_does_not_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with subprocess.Popen(["/bin/true"]) as process:
        wait_unreaped(process.pid)
        assert identify(process.pid) is None
