"""However a server misbehaves and however the run ends: none of its processes is left.

A column of the matrix is one run of the app with all servers at once; a cell is one server of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.faults.app_run import DRIVER, AppRun
from tests.faults.endings import ENDINGS
from tests.faults.population import survivors
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.faults.endings import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run left: survivors by row, the exit code, the log."""

    ending: Ending
    left: dict[str, list[str]]
    code: int
    log: str


@pytest.fixture(scope="module", params=ENDINGS)
def outcome(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Outcome]:
    """One run of the app with every server, ended in one way."""
    ending = ENDINGS[request.param]
    with AppRun(tmp_path_factory.mktemp(request.param), ROWS, ending.program) as run:
        yield end(run, ending)


def end(run: AppRun, ending: Ending) -> Outcome:
    if ending.connected:
        if run.program == DRIVER:
            run.hear("ready")
        run.wait_populated()
        run.crash()
    else:
        run.wait_begun()
    early = ending.bring_about(run)
    code = run.wait_ended()
    late = survivors(run.markers.values())
    left = {row: early.get(one, []) + late[one] for row, one in run.markers.items()}
    return Outcome(ending, left, code, run.log)


@pytest.mark.parametrize("server", ROWS)
def test_nothing_of_a_server_is_left(outcome: Outcome, server: str) -> None:
    assert outcome.left[server] == []


def test_the_app_itself_ends_as_it_should(outcome: Outcome) -> None:
    assert outcome.code == outcome.ending.code, outcome.log
    assert ("Traceback" in outcome.log) == (outcome.ending.code == 1), outcome.log
