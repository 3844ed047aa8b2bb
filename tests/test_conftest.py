"""The checks of conftest.py catch what they are for: a check that never fails checks nothing."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
LEAKS = """
import asyncio, logging, os, subprocess, sys

def test_folder(): os.chdir("/")
def test_depth(): sys.setrecursionlimit(5000)
async def test_task(): task = asyncio.get_running_loop().create_task(asyncio.sleep(60), name="lost")
async def test_ending_task(): task = asyncio.get_running_loop().create_task(asyncio.sleep(0))
def test_log(): logging.getLogger("x").warning("smoke")
def test_expected_log(expected_logs):
    expected_logs.expect("smo.e")
    logging.getLogger("x").warning("smoke")
def test_missing_log(expected_logs): expected_logs.expect("fire")
def test_allowed_log(expected_logs): expected_logs.allow("fire")
KEPT = []
def test_process():
    KEPT.append(subprocess.Popen([sys.executable, "-c", "input()", "lost"], stdin=-1))
def test_unreaped_process():
    KEPT.append(subprocess.Popen([sys.executable, "-c", "print()"], stdout=-1))
    KEPT[-1].stdout.read()
def test_ending_process(): subprocess.run([sys.executable, "-c", ""], check=True)
"""
GUI_LEAKS = """
import asyncio
from PySide6.QtWidgets import QLabel, QPushButton
import qasync

KEPT = []
def test_window(): KEPT.append(QLabel("lost"))
def test_added_window(qtbot): qtbot.addWidget(QLabel("kept"))
def test_scrap(): QLabel("collected")
async def test_task(): task = asyncio.get_running_loop().create_task(asyncio.sleep(60), name="lost")
async def test_loop(qtbot):
    assert isinstance(asyncio.get_running_loop(), qasync.QEventLoop)
    button, clicked = QPushButton(), asyncio.get_running_loop().create_future()
    qtbot.addWidget(button)
    button.clicked.connect(lambda: clicked.set_result(True))
    asyncio.get_running_loop().call_soon(button.click)
    assert await clicked
"""
FAILS_BEFORE_IT_CLEANS_UP = f"""
import gc, sys
sys.path.insert(0, {str(ROOT)!r})
import psutil
from desktop.processes.tracker import McpProcessTracker
from tests.processes.recorder import tracked_server

async def test_owner():
    tracked, _ = await tracked_server(McpProcessTracker.instance(), "daemon_child")
    tracked.keeper.suspend()
    raise AssertionError("its own failure")
def test_next():
    gc.collect()
    assert psutil.Process().children() == []
    assert McpProcessTracker.instance().tracked == ()
"""


def run(folder: Path, place: str, source: str) -> tuple[dict[str, str], str]:
    """Outcome of each test in `source`, put at `place`, and all that pytest said."""
    file = folder / place
    file.write_text(source, encoding="utf-8")
    options = ["-rA", "-p", "no:cacheprovider", f"--rootdir={folder}", f"--confcutdir={folder}"]
    # A folder of its own: else it would first remove what other runs have left in the common one.
    options += ["-c", str(ROOT / "pyproject.toml"), f"--basetemp={folder / 'places'}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", str(file), *options],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=50,
        check=False,
    )
    found = re.findall(r"^(PASSED|FAILED|ERROR) .*::test_(\w+)", done.stdout, re.MULTILINE)
    return {name: outcome for outcome, name in found}, done.stdout + done.stderr


def test_each_leak_of_the_core_fails_its_test(tmp_path: Path) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    outcomes, said = run(tmp_path, "test_leaks.py", LEAKS)
    assert outcomes == {
        "folder": "ERROR",
        "depth": "ERROR",
        "task": "ERROR",
        "ending_task": "PASSED",
        "log": "ERROR",
        "expected_log": "PASSED",
        "missing_log": "ERROR",
        "allowed_log": "PASSED",
        "process": "ERROR",
        "unreaped_process": "ERROR",
        "ending_process": "PASSED",
    }, said
    for text in ("lost at ", "WARNING x: smoke", "['fire']", "input() lost", "nobody waited"):
        assert text in said, said


@pytest.mark.skipif(sys.platform != "linux", reason="needs a keeper")
def test_what_a_failing_test_leaves_is_named_ended_and_fails_no_other(tmp_path: Path) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    outcomes, said = run(tmp_path, "test_fails.py", FAILS_BEFORE_IT_CLEANS_UP)
    assert outcomes["next"] == "PASSED", said
    for text in ("its own failure", "ERROR at teardown of test_owner", "daemon_child.py"):
        assert text in said, said
    assert "unclosed" not in said, said


def test_each_leak_of_a_widget_fails_its_test(tmp_path: Path) -> None:
    pytest.importorskip("PySide6.QtWidgets")
    (tmp_path / "gui").mkdir()
    for conftest in ("conftest.py", "gui/conftest.py"):
        shutil.copy(TESTS / conftest, tmp_path / conftest)
    outcomes, said = run(tmp_path, "gui/test_leaks.py", GUI_LEAKS)
    assert outcomes == {
        "window": "ERROR",
        "added_window": "PASSED",
        "scrap": "PASSED",
        "task": "ERROR",
        "loop": "PASSED",
    }, said
    assert "windows left behind" in said
