"""Servers on Windows, in the jobs of a kernel32 that keeps the rules: none outlives its end."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import pytest

from desktop.processes.windows import Job, WindowsJobApi
from tests.platforms.kernel32 import FakeJob, FakeKernel32

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


@pytest.fixture
def kernel32(monkeypatch: pytest.MonkeyPatch) -> FakeKernel32:
    return _kernel32(monkeypatch)


def _kernel32(
    monkeypatch: pytest.MonkeyPatch, *, nests: bool = True, refuses: str = ""
) -> FakeKernel32:
    system = FakeKernel32(nests=nests, refuses=refuses)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: system.error, raising=False)
    monkeypatch.setattr(ctypes, "WinError", _error, raising=False)

    def resume(_api: WindowsJobApi, pid: int) -> None:
        system.resume(pid)

    monkeypatch.setattr(WindowsJobApi, "resume", resume)
    return system


def _error(code: int) -> OSError:
    return OSError(code, "no")


def started(system: FakeKernel32, job: Job) -> int:
    """A server as `windows.start` starts it."""
    pid = system.start(suspended=True)
    assert not system.processes[pid].has_run
    job.add(pid)
    assert system.processes[pid].has_run
    return pid


def test_a_closed_server_takes_along_what_lost_its_parent(kernel32: FakeKernel32) -> None:
    job = Job(WindowsJobApi(kernel32))
    server, other = started(kernel32, job), started(kernel32, job)
    shell = kernel32.start(server)
    node = kernel32.start(shell)
    kernel32.end(shell)
    kernel32.end(server)
    assert job.members(server) == [node]
    job.forget(server)
    assert list(kernel32.processes) == [other]


def test_what_a_server_starts_is_in_its_job_from_the_first_instruction(
    kernel32: FakeKernel32,
) -> None:
    job = Job(WindowsJobApi(kernel32))
    server = started(kernel32, job)
    child = kernel32.start(server)
    assert job.members(server) == [server, child]


@pytest.mark.parametrize("servers", [1, 2, 7])
def test_everything_ends_with_the_app_however_that_ends(
    kernel32: FakeKernel32, servers: int
) -> None:
    job = Job(WindowsJobApi(kernel32))
    stranger = kernel32.start()
    for _ in range(servers):
        kernel32.start(kernel32.start(started(kernel32, job)))
    kernel32.end_app()
    assert list(kernel32.processes) == [stranger]


def test_the_last_resort_ends_all_servers_and_nobody_else(kernel32: FakeKernel32) -> None:
    job = Job(WindowsJobApi(kernel32))
    stranger = kernel32.start()
    for _ in range(3):
        kernel32.start(started(kernel32, job))
    job.kill_all(1.0)
    assert list(kernel32.processes) == [stranger]


def test_no_handle_is_kept_for_a_closed_server(kernel32: FakeKernel32) -> None:
    job = Job(WindowsJobApi(kernel32))
    job.forget(started(kernel32, job))
    handles = len(kernel32.handles)
    for _ in range(50):
        job.forget(started(kernel32, job))
    assert len(kernel32.handles) == handles
    assert job.members(4) is None


def test_before_windows_8_the_job_of_the_app_still_ends_all_with_it(
    monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("has no job of its own")
    kernel32 = _kernel32(monkeypatch, nests=False)
    job = Job(WindowsJobApi(kernel32))
    kernel32.start(server := started(kernel32, job))
    assert job.members(server) is None
    assert len(kernel32.handles) == 1
    job.forget(server)
    assert kernel32.processes
    kernel32.end_app()
    assert not kernel32.processes


@pytest.mark.parametrize("refuses", ["create", "limit", "open", "assign"])
def test_a_server_runs_where_windows_refuses_it_a_job_and_the_log_says_so(
    refuses: str, monkeypatch: pytest.MonkeyPatch, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("outside the app's job")
    expected_logs.expect("has no job of its own")
    kernel32 = _kernel32(monkeypatch, refuses=refuses)
    job = Job(WindowsJobApi(kernel32))
    server = started(kernel32, job)
    assert job.members(server) is None
    job.forget(server)
    job.kill_all(1.0)
    assert list(kernel32.processes) == [server]
    job_handles = [one for one in kernel32.handles.values() if not isinstance(one, int)]
    assert len(job_handles) <= 1  # the app's, which is tried again with the next server


def test_an_app_that_runs_in_a_job_itself_nests_its_own_in_it(kernel32: FakeKernel32) -> None:
    outer = FakeJob()
    app = kernel32.start()
    kernel32.processes[app].jobs.append(outer)
    job = Job(WindowsJobApi(kernel32))
    servers: list[int] = []
    for _ in range(2):
        pid = kernel32.start(app, suspended=True)
        job.add(pid)
        servers.append(pid)
    job.forget(servers[0])
    assert list(kernel32.processes) == [app, servers[1]]
    kernel32.end_app()
    assert list(kernel32.processes) == [app]
