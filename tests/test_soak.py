"""A binding that loses references to None per callback aborts the process after some time.

PySide6 6.12.0 did so on Python < 3.12 (there None is not immortal): `pyproject.toml` excludes it.
"""

from __future__ import annotations

import subprocess
import sys

CALLBACKS = 200_000
DRIFT_LIMIT = 2_000  # one lost reference a callback would be 200,000
PROGRAM = f"""
import asyncio, sys
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

async def spin(times):
    for _ in range(times):
        await asyncio.sleep(0)

application = QApplication([])
loop = QEventLoop(application)
with loop:
    loop.run_until_complete(spin(1000))  # what is allocated once is there now
    before = sys.getrefcount(None)
    loop.run_until_complete(spin({CALLBACKS}))
    print(sys.getrefcount(None) - before)
"""


def test_the_loop_survives_many_callbacks_and_keeps_its_references() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=55,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if sys.version_info < (3, 12):
        assert abs(int(done.stdout)) < DRIFT_LIMIT
