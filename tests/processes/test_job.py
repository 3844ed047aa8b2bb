"""The decisions about the Job Object, with a typed stand-in for Windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.processes.job import KILL_ON_JOB_CLOSE, Job

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


class Windows:
    """Stands for the system; refuses what it is told to."""

    def __init__(self, refuses: str = "") -> None:
        self.asked: list[tuple[str, int, int]] = []
        self._refuses = refuses

    def create_job(self) -> int:
        return self._note("create", 0, 7)

    def limit(self, job: int, flags: int) -> None:
        self._note("limit", job, flags)

    def assign(self, job: int, pid: int) -> None:
        self._note("assign", job, pid)

    def resume(self, pid: int) -> None:
        self._note("resume", 0, pid)

    def terminate(self, job: int) -> None:
        self._note("terminate", job, 0)

    def _note(self, what: str, job: int, value: int) -> int:
        self.asked.append((what, job, value))
        if what == self._refuses:
            raise OSError(what)
        return value


def test_a_server_is_in_the_job_before_it_runs() -> None:
    system = Windows()
    job = Job(system)
    job.take(42)
    assert system.asked == [
        ("create", 0, 7),
        ("limit", 7, KILL_ON_JOB_CLOSE),
        ("assign", 7, 42),
        ("resume", 0, 42),
    ]


def test_there_is_one_job_for_all_servers_and_none_without_one() -> None:
    system = Windows()
    job = Job(system)
    job.end(1.0)
    assert system.asked == []
    job.take(42)
    job.take(43)
    job.end(1.0)
    assert [what for what, *_ in system.asked].count("create") == 1
    assert system.asked[-1] == ("terminate", 7, 0)


def test_a_server_runs_without_the_job_where_that_is_refused(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("outside the app's job")
    system = Windows(refuses="assign")
    Job(system).take(42)
    assert system.asked[-1] == ("resume", 0, 42)


def test_a_job_without_its_limit_is_none(expected_logs: ExpectedLogs) -> None:
    expected_logs.expect("outside the app's job")
    system = Windows(refuses="limit")
    Job(system).take(42)
    assert [what for what, *_ in system.asked] == ["create", "limit", "resume"]
