"""However a server misbehaves and however the run ends: none of its processes is left.

A column of the matrix is one run of the app with all servers at once; a cell is one server of it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.faults.app_run import AppRun
from tests.faults.endings import ENDINGS, end
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from tests.faults.endings import Outcome

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture(scope="session")
def outcomes() -> dict[str, Outcome]:
    """Of the endings that were tried so far: in an order of chance their tests lie apart."""
    return {}


@pytest.fixture(scope="module", params=ENDINGS)
def outcome(
    request: pytest.FixtureRequest,
    outcomes: dict[str, Outcome],
    tmp_path_factory: pytest.TempPathFactory,
) -> Outcome:
    """What one run of the app with every server left, ended in one way."""
    name: str = request.param
    if name not in outcomes:
        ending = ENDINGS[name]
        with AppRun(tmp_path_factory.mktemp(name), ROWS, ending.program) as run:
            outcomes[name] = end(run, ending)
    return outcomes[name]


@pytest.mark.parametrize("server", ROWS)
def test_nothing_of_a_server_is_left(outcome: Outcome, server: str) -> None:
    assert outcome.left[server] == []


def test_no_guardian_is_left(outcome: Outcome) -> None:
    assert outcome.guardians == []


def test_the_app_itself_ends_as_it_should(outcome: Outcome) -> None:
    assert outcome.code == outcome.ending.code, outcome.log
    assert ("Traceback" in outcome.log) == (outcome.ending.code == 1), outcome.log
