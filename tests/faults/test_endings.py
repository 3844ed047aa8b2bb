"""However a server misbehaves and however the run ends: none of its processes is left.

A column of the matrix is one run of the app with all servers at once; a cell is one server of it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from tests.faults.endings import ENDINGS, cases, end_once
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from tests.faults.endings import Outcome


@pytest.fixture(scope="module", params=cases(ENDINGS))
def ending(request: pytest.FixtureRequest) -> str:
    """The name of one way to end."""
    return request.param


@pytest.fixture(scope="module")
def outcome(ending: str, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """What one run of the app with every server left, ended in one way."""
    return end_once(ending, ENDINGS[ending], tmp_path_factory)


@pytest.mark.parametrize("server", ROWS)
def test_nothing_of_a_server_is_left(outcome: Outcome, server: str) -> None:
    assert outcome.left[server] == []


def test_no_guardian_is_left(outcome: Outcome) -> None:
    assert outcome.guardians == []


def test_the_app_itself_ends_as_it_should(ending: str, outcome: Outcome) -> None:
    code = ENDINGS[ending].code
    assert outcome.code == code, outcome.log
    assert ("Traceback" in outcome.log) == (code == 1), outcome.log
