"""The terminal twin leaves as little as the window: each fault against each way it can be ended.

The command waits for the server that never answers; that is when it is ended.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from tests.faults.app_run import TERMINAL, AppRun
from tests.faults.endings import TERMINAL_ENDINGS, cases, end_once
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from tests.faults.endings import Outcome


@pytest.fixture(scope="module", params=cases(TERMINAL_ENDINGS))
def ending(request: pytest.FixtureRequest) -> str:
    """The name of one way to end."""
    return request.param


@pytest.fixture(scope="module")
def outcome(ending: str, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What one run of the command with every server left, ended in one way."""
    return end_once(f"terminal-{ending}", TERMINAL_ENDINGS[ending], tmp_path_factory)


@pytest.mark.parametrize("server", ROWS)
def test_nothing_of_a_server_is_left(outcome: Outcome, server: str) -> None:
    assert outcome.left[server] == []


def test_the_command_itself_ends_as_it_should(ending: str, outcome: Outcome) -> None:
    assert outcome.code == TERMINAL_ENDINGS[ending].code, outcome.log
    assert "Traceback" not in outcome.log


def test_the_next_command_ends_what_a_killed_one_left(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with AppRun(tmp_path_factory.mktemp("killed"), ROWS, TERMINAL) as run:
        run.wait_populated()
        run.kill_at_once([run.own(), *run.guardians()])
        run.wait_ended()
        run.start_again()
        assert run.wait_ended() == 0
        assert run.survivors() == {}, run.log
