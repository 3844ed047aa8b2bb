"""Random servers and random ends, again and again: nothing is left and nothing grows."""

from __future__ import annotations

import subprocess
import sys

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from tests.soak.soak import Soak

ROUNDS = 50
pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),
]


async def test_no_round_leaves_anything_behind() -> None:
    report = await Soak(seed=1).run(ROUNDS)
    assert not report.faults, str(report)


def test_two_days_of_looking_at_tools_leave_the_window_as_it_was() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.soak.two_days", "48", "5"],
        capture_output=True,
        text=True,
        timeout=550,
    )
    assert done.returncode == 0, done.stdout + done.stderr
