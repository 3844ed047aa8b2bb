"""A hundred servers in one window, a fifth of them of each kind: however it ends, none is left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    raise pytest.skip.Exception("needs POSIX signals", allow_module_level=True)

from tests.faults.app_run import AppRun
from tests.faults.endings import ENDINGS, end
from tests.faults.rows import ROWS

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("well_behaved", "ignores_eof", "ignores_sigterm", "ignores_both", "leaves_child")
SERVERS = {f"{kind}_{number}": ROWS[kind] for number in range(20) for kind in KINDS}
START_LIMIT = 120.0
pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(240),
]


@pytest.mark.parametrize("name", ["sigterm", "sigkill_app"])
def test_nothing_of_a_hundred_servers_is_left(name: str, tmp_path: Path) -> None:
    assert sum(fault.processes for fault in SERVERS.values()) == 120
    ending = ENDINGS[name]
    with AppRun(tmp_path, SERVERS, ending.program, start_limit=START_LIMIT) as run:
        outcome = end(run, ending)
    assert {server: left for server, left in outcome.left.items() if left} == {}
    assert outcome.guardians == []
    assert outcome.code == ending.code, outcome.log
