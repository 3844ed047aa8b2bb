"""The columns of the fault matrix: each way a run, or only its servers, can end.

Each function takes a run whose servers all run, ends it, and returns what was left too long even
though the app still lived, by marker.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from desktop.base.file_lock import FileLock, locked
from desktop.cli.exit_codes import Exit
from tests.faults.app_run import DRIVER, TERMINAL, WINDOW, AppRun
from tests.faults.population import GONE_LIMIT, survivors, wait_until
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import psutil
    from _pytest.mark import ParameterSet

    Left = dict[str, list[str]]


RUN_LIMIT = 50.0
"""Seconds that another process of the tests may take for a run."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How it is brought about, what runs, and the exit code the app then has to have."""

    bring_about: Callable[[AppRun], Left]
    program: tuple[str, ...] = WINDOW
    code: int = 0
    connected: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run left: survivors by row, the exit code, the log."""

    left: dict[str, list[str]]
    guardians: list[str]
    code: int
    log: str


def end(run: AppRun, ending: Ending) -> Outcome:
    """Wait until the run is in full swing, end it, and look what is left."""
    if ending.connected:
        if run.program == DRIVER:
            run.hear("ready")
        run.wait_populated()
        run.crash()
    else:
        run.wait_begun()
    guardians = run.guardians()
    early = ending.bring_about(run)
    code = run.wait_ended()
    wait_until(lambda: not any(guardian.is_running() for guardian in guardians), GONE_LIMIT)
    late = survivors(run.markers.values())
    left = {row: early.get(one, []) + late[one] for row, one in run.markers.items()}
    still = [str(guardian) for guardian in guardians if guardian.is_running()]
    return Outcome(left, still, code, run.log)


def cases(endings: Mapping[str, Ending]) -> list[ParameterSet]:
    """Their names as parameters of a test; `make test` tries the commonest ones alone."""
    return [
        pytest.param(name, marks=() if name in COMMON else pytest.mark.exhaustive)
        for name in endings
    ]


def end_once(name: str, ending: Ending, factory: pytest.TempPathFactory) -> Outcome:
    """The outcome of one run with all servers; the first process that asks makes it for all."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    file = shared / f"ending-{name}.json"
    with locked(FileLock(file.with_suffix(".lock")), RUN_LIMIT):
        if not file.exists():
            with AppRun(factory.mktemp(name), ROWS, ending.program) as run:
                outcome = end(run, ending)
            file.write_text(json.dumps(asdict(outcome)), encoding="utf-8")
        return Outcome(**json.loads(file.read_text("utf-8")))


def toggle_off(run: AppRun) -> Left:
    return _while_the_app_lives(run, "off")


def session_end(run: AppRun) -> Left:
    return _while_the_app_lives(run, "close")


def restart(run: AppRun) -> Left:
    """The processes from before the restart have to go; those from after it go with the app."""
    before = run.alive()
    run.tell("restart")
    wait_until(lambda: not _still_there(before, run), GONE_LIMIT)
    left = _still_there(before, run)
    _quit_by_signal(signal.SIGTERM)(run)
    return left


def window_closed(run: AppRun) -> Left:
    run.tell("quit")
    return {}


def window_closed_twice(run: AppRun) -> Left:
    run.tell("quit-twice")
    return {}


def exception_in_the_main_loop(run: AppRun) -> Left:
    run.say("raise")
    return {}


def exception_in_the_app(run: AppRun) -> Left:
    run.say("fail")
    return {}


def quit_during_a_call(run: AppRun) -> Left:
    run.tell("call")
    run.tell("quit")
    return {}


def interrupted_twice(run: AppRun) -> Left:
    """The second one before the first is done: some of the servers take seconds."""
    run.signal(signal.SIGINT)
    wait_until(lambda: "ended by force" in run.log or run.process.poll() is not None, 0.2)
    run.signal(signal.SIGINT)
    return {}


def app_killed(run: AppRun) -> Left:
    run.signal(signal.SIGKILL)
    return {}


def guardian_killed(run: AppRun) -> Left:
    """Without its guardian the app still has to end every server when it ends itself."""
    guardian = run.guardian()
    assert guardian is not None, "there is no guardian"
    run.kill_at_once([guardian])
    return _quit_by_signal(signal.SIGTERM)(run)


def all_guardians_killed(run: AppRun) -> Left:
    """The same without those that the guardian forked."""
    guardians = run.guardians()
    assert len(guardians) > 1, "there is no guardian"
    run.kill_at_once(guardians)
    return _quit_by_signal(signal.SIGTERM)(run)


def keepers_killed(run: AppRun) -> Left:
    _, *keepers = run.guardians()
    assert keepers, "there is no guardian"
    run.kill_at_once(keepers)
    return _quit_by_signal(signal.SIGTERM)(run)


def guardian_stopped(run: AppRun) -> Left:
    _stop_guardian(run)
    return _quit_by_signal(signal.SIGTERM)(run)


def guardian_stopped_app_killed(run: AppRun) -> Left:
    _stop_guardian(run)
    return app_killed(run)


def keepers_stopped(run: AppRun) -> Left:
    for keeper in run.guardians()[1:]:
        keeper.suspend()
    return _quit_by_signal(signal.SIGTERM)(run)


def terminated_twice(run: AppRun) -> Left:
    """The second one while those that misbehave are waited for."""
    run.signal(signal.SIGTERM)
    wait_until(lambda: "closing" in run.log, GONE_LIMIT)
    run.signal(signal.SIGTERM)
    return {}


def no_more_files(run: AppRun) -> Left:
    """Everything is restarted, and nothing can be opened for it."""
    _limit(run, "RLIMIT_NOFILE", max(map(int, os.listdir(f"/proc/{run.process.pid}/fd"))) + 1)
    return restart(run)


def disk_full(run: AppRun) -> Left:
    """Neither log nor ledger can grow."""
    _limit(run, "RLIMIT_FSIZE", 0)
    return restart(run)


def all_killed_then_next_start(run: AppRun) -> Left:
    guardians = run.guardians()
    assert guardians, "there is no guardian"
    run.kill_at_once([run.own(), *guardians])
    run.wait_ended()
    run.start_again()
    left = survivors(run.markers.values())
    _quit_by_signal(signal.SIGTERM)(run)
    return left


def _stop_guardian(run: AppRun) -> None:
    guardian = run.guardian()
    assert guardian is not None, "there is no guardian"
    guardian.suspend()


def _limit(run: AppRun, name: str, most: int) -> None:
    import resource

    assert sys.platform == "linux"
    which = getattr(resource, name)
    _, hard = resource.prlimit(run.process.pid, which)
    resource.prlimit(run.process.pid, which, (most, hard))


def _quit_by_signal(number: signal.Signals) -> Callable[[AppRun], Left]:
    def bring_about(run: AppRun) -> Left:
        run.signal(number)
        return {}

    return bring_about


def _while_the_app_lives(run: AppRun, word: str) -> Left:
    run.tell(word)
    left = survivors(run.markers.values())
    _quit_by_signal(signal.SIGTERM)(run)
    return left


def _still_there(before: dict[str, set[psutil.Process]], run: AppRun) -> Left:
    now = run.alive()
    both = {marker: before[marker] & now[marker] for marker in before}
    return {
        marker: [str(process) for process in processes]
        for marker, processes in both.items()
        if processes
    }


ENDINGS = {
    "toggle_off": Ending(toggle_off, DRIVER),
    "restart": Ending(restart, DRIVER),
    "session_end": Ending(session_end, DRIVER),
    "quit": Ending(window_closed, DRIVER),
    "sigint": Ending(_quit_by_signal(signal.SIGINT)),
    "sigterm": Ending(_quit_by_signal(signal.SIGTERM)),
    "sighup": Ending(_quit_by_signal(signal.SIGHUP)),
    "sigkill_app": Ending(app_killed, code=-signal.SIGKILL),
    "sigkill_guardian": Ending(guardian_killed),
    "sigkill_guardian_and_keepers": Ending(all_guardians_killed),
    "sigkill_both_then_next_start": Ending(all_killed_then_next_start),
    "sigkill_keepers": Ending(keepers_killed),
    "sigstop_guardian": Ending(guardian_stopped),
    "sigstop_guardian_sigkill_app": Ending(guardian_stopped_app_killed, code=-signal.SIGKILL),
    "sigstop_keepers": Ending(keepers_stopped),
    "sigterm_twice": Ending(terminated_twice),
    "no_more_files": Ending(no_more_files, DRIVER),
    "disk_full": Ending(disk_full, DRIVER),
    "exception_in_main_loop": Ending(exception_in_the_main_loop, DRIVER, code=1),
    "exception_in_the_app": Ending(exception_in_the_app, DRIVER, code=1),
    "quit_while_connecting": Ending(_quit_by_signal(signal.SIGTERM), connected=False),
    "quit_during_call": Ending(quit_during_a_call, DRIVER),
    "quit_twice": Ending(window_closed_twice, DRIVER),
}
COMMON = {"quit", "sigint", "sigkill", "sigkill_app", "sigkill_both_then_next_start", "toggle_off"}
TERMINAL_ENDINGS = {
    "sigint": Ending(_quit_by_signal(signal.SIGINT), TERMINAL, code=Exit.INTERRUPTED),
    "sigterm": Ending(_quit_by_signal(signal.SIGTERM), TERMINAL, code=Exit.INTERRUPTED),
    "sighup": Ending(_quit_by_signal(signal.SIGHUP), TERMINAL, code=Exit.INTERRUPTED),
    "sigkill": Ending(app_killed, TERMINAL, code=-signal.SIGKILL),
    "interrupted_twice": Ending(interrupted_twice, TERMINAL, code=Exit.INTERRUPTED),
}
