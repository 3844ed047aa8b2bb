"""One window for one data folder, whatever ended the one before and however many start at once."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtNetwork import QLocalSocket

if sys.platform == "win32":
    raise pytest.skip.Exception("Unix sockets, file modes", allow_module_level=True)

from desktop.base.tasks import spawn
from desktop.gui.instance_channel import InstancePipe
from desktop.gui.single_instance import SingleInstance
from tests.gui.waiting import happens, turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.conftest import ExpectedLogs

ROOT = Path(__file__).parent.parent.parent
CLAIM = """
import sys
from pathlib import Path
from desktop.gui.single_instance import SingleInstance
instance = SingleInstance(Path(sys.argv[1]))
print(instance.claim(wait=0), flush=True)
if sys.argv[2:]:
    instance.listen(print)
    print("listening", flush=True)
sys.stdin.read()
"""
SECOND_CLAIM = """
import sys
from pathlib import Path
from desktop.gui.single_instance import SingleInstance
print(SingleInstance(Path(sys.argv[1])).claim(opened=sys.argv[2]))
"""


@pytest.fixture
async def first(tmp_path: Path) -> AsyncIterator[SingleInstance]:
    """Ends inside the loop it listens on."""
    instance = SingleInstance(tmp_path)
    assert instance.claim() == "first"
    yield instance
    instance.close()
    await turns()


@pytest.fixture
def requests(first: SingleInstance) -> list[str]:
    """What the first window was asked to open, `window` where it was only to show itself."""
    noted: list[str] = []
    first.listen(lambda opened: noted.append(opened or "window"))
    return noted


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CLAIM, str(folder), *options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


async def claim_again(folder: Path, opened: str = "") -> str:
    """A second start, in a process of its own as it is."""
    second = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SECOND_CLAIM, str(folder), opened),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await second.communicate()
    return said.decode().strip()


async def send(folder: Path, *parts: bytes) -> bytes:
    """What somebody who knows no better hears who sends these bytes."""
    reader, writer = await asyncio.open_unix_connection(folder / "window.sock")
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), LIMIT)
    except ConnectionError:  # hung up on with bytes unread
        return b""
    finally:
        writer.close()


async def test_a_second_start_raises_the_first_window(tmp_path: Path, requests: list[str]) -> None:
    for _ in range(2):
        assert await claim_again(tmp_path) == "raised"
    assert requests == ["window", "window"]


async def test_the_first_window_is_told_what_a_second_start_was_to_open(
    tmp_path: Path, requests: list[str]
) -> None:
    for opened in ("/tmp/my servers.json", "mcp-desktop://import?config=e30", "/tmp/two\nlines"):
        assert await claim_again(tmp_path, opened) == "raised"
    assert requests == ["/tmp/my servers.json", "mcp-desktop://import?config=e30", "window"]


async def test_the_longest_link_is_handed_over(tmp_path: Path, requests: list[str]) -> None:
    link = f"mcp-desktop://import?config={'x' * 65_536}"
    assert await claim_again(tmp_path, link) == "raised"
    assert requests == [link]


async def test_a_window_that_is_still_starting_is_waited_for(
    first: SingleInstance, tmp_path: Path
) -> None:
    noted: list[str] = []
    second = spawn(claim_again(tmp_path), "second start")
    await turns()
    first.listen(noted.append)
    assert await second == "raised"
    assert noted == [""]


async def test_other_data_is_another_window(first: SingleInstance, tmp_path: Path) -> None:
    other = SingleInstance(tmp_path / "other")
    assert other.claim(wait=0) == "first"
    other.close()


async def test_a_path_too_long_for_a_socket_is_shortened(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    first = SingleInstance(folder)
    assert first.claim() == "first"
    noted: list[str] = []
    first.listen(noted.append)
    assert await claim_again(folder, "/a.json") == "raised"
    assert noted == ["/a.json"]
    first.close()
    assert os.listdir(folder) == ["window.lock"]


async def test_where_no_path_to_the_folder_is_short_the_socket_is_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 120)
    first = SingleInstance(folder)
    assert first.claim() == "first"
    monkeypatch.setattr(sys, "platform", "darwin")
    before = set(os.listdir(tempfile.gettempdir()))
    noted: list[str] = []
    first.listen(noted.append)
    (name,) = {*os.listdir(tempfile.gettempdir())} - before
    assert name.startswith("mcp-desktop-")
    assert len(name) < 30
    first.close()
    assert not (Path(tempfile.gettempdir()) / name).exists()


async def test_a_first_window_that_is_just_closing_is_waited_for(
    first: SingleInstance, tmp_path: Path, requests: list[str]
) -> None:
    first.stop_listening()
    second = SingleInstance(tmp_path)
    waiting = asyncio.get_running_loop().run_in_executor(None, second.claim)
    first.close()
    assert await waiting == "first"
    second.close()
    assert requests == []


async def test_a_first_window_that_does_not_answer_is_named(
    first: SingleInstance, tmp_path: Path
) -> None:
    second = SingleInstance(tmp_path)
    assert second.claim(wait=0) == "silent"
    assert str(os.getpid()) in second.holder


def test_a_first_window_whose_loop_hangs_is_given_up_on(tmp_path: Path) -> None:
    with start(tmp_path, "listen") as hanging:
        assert answer(hanging) == "first"
        assert answer(hanging) == "listening"
        second = SingleInstance(tmp_path)
        assert second.claim(wait=0.1) == "silent"
        assert str(hanging.pid) in second.holder
        hanging.communicate()


async def test_what_a_crash_leaves_is_in_nobodys_way(tmp_path: Path) -> None:
    with start(tmp_path, "listen") as crashed:
        assert answer(crashed) == "first"
        assert answer(crashed) == "listening"
        crashed.kill()
        crashed.communicate()
    assert (tmp_path / "window.sock").exists()
    instance = SingleInstance(tmp_path)
    assert instance.claim(wait=0) == "first"
    noted: list[str] = []
    instance.listen(noted.append)
    assert await claim_again(tmp_path) == "raised"
    assert noted == [""]
    instance.close()
    await turns()


@pytest.mark.parametrize("left", [b"", b"{}", b"not a number", b"1\npython3.11\nhost\n"])
def test_whatever_the_lock_file_says_only_a_living_holder_counts(
    tmp_path: Path, left: bytes
) -> None:
    """PID 1 always lives: another process with the PID of one that crashed is no window."""
    (tmp_path / "window.lock").write_bytes(left)
    instance = SingleInstance(tmp_path)
    assert instance.claim(wait=0) == "first"
    instance.close()


async def test_only_its_user_reaches_the_socket_and_nothing_of_it_is_left(
    first: SingleInstance, tmp_path: Path, requests: list[str]
) -> None:
    for name in ("window.sock", "window.lock"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o077 == 0
    assert sorted(os.listdir(tmp_path)) == ["window.lock", "window.sock"]
    first.close()
    first.close()
    assert os.listdir(tmp_path) == ["window.lock"]


async def test_a_request_may_come_in_parts(tmp_path: Path, requests: list[str]) -> None:
    assert await send(tmp_path, b"rai", b"se /a file", b".json\n") == b"ok\n"
    assert requests == ["/a file.json"]


@pytest.mark.parametrize(
    "parts",
    [(b"x" * 100,), (b"raised\n",), (b"raise " + b"x" * 80_000,), (b"raise ",) * 20_000],
)
async def test_anything_else_is_hung_up_on_at_once(
    tmp_path: Path,
    requests: list[str],
    parts: tuple[bytes, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop.gui.instance_channel.MAX_REQUEST_TIME", 60.0)
    assert await send(tmp_path, *parts) == b""
    assert requests == []


async def test_who_says_nothing_is_hung_up_on(
    tmp_path: Path, requests: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.gui.instance_channel.MAX_REQUEST_TIME", 0.01)
    assert await send(tmp_path) == b""
    assert requests == []


async def test_a_socket_that_cannot_be_made_costs_the_request_and_no_more(
    first: SingleInstance, tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("a second start cannot raise this window")
    (tmp_path / "window.sock").mkdir()
    first.listen(lambda _: None)
    assert SingleInstance(tmp_path).claim(wait=0) == "silent"


def test_something_else_at_the_socket_is_not_the_window(tmp_path: Path) -> None:
    with start(tmp_path) as first, socket.socket(socket.AF_UNIX) as other:
        assert answer(first) == "first"
        other.bind(str(tmp_path / "window.sock"))
        assert SingleInstance(tmp_path).claim(wait=0) == "silent"
        first.communicate()


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
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_neither_start_needs_the_network_library_of_qt(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from desktop.gui.single_instance import SingleInstance
first, second = SingleInstance(Path(sys.argv[1])), SingleInstance(Path(sys.argv[1]))
print(first.claim(), second.claim(wait=0))
first.listen(print)
print("PySide6.QtNetwork" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["first", "silent", "False"]


@pytest.fixture
async def pipe(tmp_path: Path) -> AsyncIterator[InstancePipe]:
    """What Windows has; here it is a socket in the folder for temporary files."""
    made = InstancePipe(tmp_path)
    yield made
    made.close()
    await turns()


async def ask_by_pipe(folder: Path, opened: str) -> str:
    code = """
import sys
from pathlib import Path
from desktop.gui.instance_channel import InstancePipe
print(InstancePipe(Path(sys.argv[1])).request(sys.argv[2], 1))
"""
    asking = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, str(folder), opened),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await asking.communicate()
    return said.decode().strip()


async def test_a_second_start_asks_by_a_pipe_on_windows(pipe: InstancePipe, tmp_path: Path) -> None:
    assert await ask_by_pipe(tmp_path, "") == "False"
    noted: list[str] = []
    pipe.listen(noted.append)
    for opened in ("", f"mcp-desktop://import?config={'x' * 65_536}", "two\nlines"):
        assert await ask_by_pipe(tmp_path, opened) == "True"
    assert noted == ["", f"mcp-desktop://import?config={'x' * 65_536}", ""]
    pipe.close()
    assert await ask_by_pipe(tmp_path, "") == "False"


@pytest.mark.parametrize("said", [b"hello", b"raised\n", b"raise " + b"x" * 80_000])
async def test_whoever_says_something_else_to_the_pipe_is_hung_up_on(
    pipe: InstancePipe, said: bytes
) -> None:
    noted: list[str] = []
    pipe.listen(noted.append)
    caller = QLocalSocket()
    caller.connectToServer(pipe.name)
    caller.write(said)
    await happens(caller.disconnected)
    assert bytes(caller.readAll().data()) == b""
    assert noted == []
