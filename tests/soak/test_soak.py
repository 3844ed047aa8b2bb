"""Random servers and random ends, again and again: nothing is left and nothing grows."""

from __future__ import annotations

import sys

import pytest

from tests.soak.soak import Soak

ROUNDS = 50
pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals"),
]


async def test_no_round_leaves_anything_behind() -> None:
    report = await Soak(seed=1).run(ROUNDS)
    assert not report.faults, str(report)
