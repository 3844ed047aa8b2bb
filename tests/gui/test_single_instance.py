"""One window for one data folder, whatever ended the one before and however many start at once."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.gui.doorbell import LoopbackDoorbell, UnixDoorbell
from desktop.gui.single_instance import SingleInstance
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from desktop.gui.doorbell import Doorbell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")
ROOT = Path(__file__).parent.parent.parent
CLAIM = """
import sys
from pathlib import Path
from desktop.gui.single_instance import SingleInstance
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim(wait=0), flush=True)
sys.stdin.read()
"""


@pytest.fixture(params=[UnixDoorbell, LoopbackDoorbell])
def doorbell(request: pytest.FixtureRequest) -> Callable[[Path], Doorbell]:
    """That of Linux and macOS, and that of Windows, which works everywhere."""
    return request.param


@pytest.fixture
async def first(
    tmp_path: Path, doorbell: Callable[[Path], Doorbell]
) -> AsyncIterator[SingleInstance]:
    """Ends inside the loop it listens on."""
    instance = SingleInstance(tmp_path, doorbell(tmp_path))
    assert instance.claim() == "first"
    yield instance
    instance.close()
    await turns()


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-S", "-c", CLAIM, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def test_a_second_start_raises_the_first_window(
    first: SingleInstance, tmp_path: Path, doorbell: Callable[[Path], Doorbell]
) -> None:
    rung: list[str] = []
    await first.listen(lambda text: rung.append(text or "rung"))
    for _ in range(2):
        second = SingleInstance(tmp_path, doorbell(tmp_path))
        assert await asyncio.to_thread(second.claim) == "raised"
    assert rung == ["rung", "rung"]


async def test_the_first_window_is_told_what_a_second_start_was_to_open(
    first: SingleInstance, tmp_path: Path, doorbell: Callable[[Path], Doorbell]
) -> None:
    rung: list[str] = []
    await first.listen(rung.append)
    for opened in ("/tmp/my servers.json", "mcp-desktop://import?config=e30", "/tmp/two\nlines"):
        second = SingleInstance(tmp_path, doorbell(tmp_path))
        assert await asyncio.to_thread(second.claim, 5.0, opened) == "raised"
    assert rung == ["/tmp/my servers.json", "mcp-desktop://import?config=e30", ""]


async def test_other_data_is_another_window(first: SingleInstance, tmp_path: Path) -> None:
    other = SingleInstance(tmp_path / "other")
    assert other.claim(wait=0) == "first"
    other.close()


async def test_a_path_too_long_for_a_socket_is_shortened(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    first = SingleInstance(folder)
    assert first.claim() == "first"
    rung: list[str] = []
    await first.listen(lambda text: rung.append(text or "rung"))
    second = SingleInstance(folder)
    assert await asyncio.to_thread(second.claim) == "raised"
    second.close()
    assert rung == ["rung"]
    first.close()
    await turns()
    assert os.listdir(folder) == ["window.lock"]


async def test_a_first_window_that_is_just_closing_is_waited_for(
    first: SingleInstance, tmp_path: Path, doorbell: Callable[[Path], Doorbell]
) -> None:
    await first.listen(lambda _: None)
    first.stop_listening()
    second = SingleInstance(tmp_path, doorbell(tmp_path))
    waiting = asyncio.get_running_loop().run_in_executor(None, second.claim)
    first.close()
    assert await waiting == "first"
    second.close()


async def test_a_first_window_that_does_not_answer_is_named(
    first: SingleInstance, tmp_path: Path
) -> None:
    second = SingleInstance(tmp_path)
    assert second.claim(wait=0) == "silent"
    assert str(os.getpid()) in second.holder


async def test_what_a_crash_leaves_is_in_nobodys_way(
    tmp_path: Path, doorbell: Callable[[Path], Doorbell]
) -> None:
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(tmp_path / "window.sock"))
    (tmp_path / "window.port").write_text(f"9 1 {'0' * 64}\n")
    with start(tmp_path) as crashed:
        assert answer(crashed) == "first"
        crashed.kill()
        crashed.communicate()
    instance = SingleInstance(tmp_path, doorbell(tmp_path))
    assert instance.claim(wait=0) == "first"
    rung: list[str] = []
    await instance.listen(lambda text: rung.append(text or "rung"))
    second = SingleInstance(tmp_path, doorbell(tmp_path))
    assert await asyncio.to_thread(second.claim) == "raised"
    assert rung == ["rung"]
    instance.close()
    await turns()


def test_what_is_to_be_opened_is_never_told_to_the_port_of_an_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "window.port").write_text(f"9 1 {'0' * 64}\n")
    starting = SingleInstance(tmp_path, LoopbackDoorbell(tmp_path))
    assert starting.claim(wait=0) == "first"
    assert os.listdir(tmp_path) == ["window.lock"]
    starting.close()


def test_of_many_starts_at_the_same_moment_one_is_first(tmp_path: Path) -> None:
    starts = [start(tmp_path) for _ in range(6)]
    answers = [answer(process) for process in starts]
    for process in starts:
        process.communicate()
    assert sorted(answers) == ["first", *["silent"] * 5]


def test_where_nothing_can_be_locked_every_start_is_the_first(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for _ in range(2):
        instance = SingleInstance(tmp_path / "file" / "data")
        assert instance.claim() == "first"
        instance.close()
    assert "not known" in SingleInstance(tmp_path / "file" / "data").holder


def test_the_claim_costs_no_heavy_import(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from desktop.gui.single_instance import SingleInstance
SingleInstance(Path(sys.argv[1])).claim()
print([n for n in ("asyncio", "socket", "selectors", "PySide6") if n in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
