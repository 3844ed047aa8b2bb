"""Who can call, what is on the disk meanwhile, and that nothing is left."""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.gui.doorbell import LoopbackDoorbell, UnixDoorbell, doorbell_of

if TYPE_CHECKING:
    from desktop.gui.doorbell import Doorbell

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets, file modes")


class Caller(asyncio.Protocol):
    """Answers with the key that a caller has to know."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        transport.write(self._key or b"none")
        transport.close()


async def said(doorbell: Doorbell) -> tuple[bytes, bytes]:
    """What a caller hears, and the key that it would have said."""

    def call() -> tuple[bytes, bytes]:
        caller, key = doorbell.call(5)
        with caller:
            return caller.recv(100), key

    return await asyncio.to_thread(call)


async def test_a_caller_on_the_loopback_knows_the_key_from_the_file(tmp_path: Path) -> None:
    doorbell = LoopbackDoorbell(tmp_path)
    server = await doorbell.open(Caller)
    heard, key = await said(LoopbackDoorbell(tmp_path))
    assert heard == key
    assert len(key) == 64
    assert [socket.getsockname()[0] for socket in server.sockets] == ["127.0.0.1"]
    (name,) = os.listdir(tmp_path)
    assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600
    server.close()
    doorbell.close()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("platform", "folder", "expected"),
    [
        ("linux", "x", UnixDoorbell),
        ("linux", "x" * 200, UnixDoorbell),
        ("darwin", "x", UnixDoorbell),
        ("darwin", "x" * 200, LoopbackDoorbell),
        ("win32", "x", LoopbackDoorbell),
    ],
)
def test_the_loopback_is_for_where_no_socket_can_be(
    platform: str, folder: str, expected: type
) -> None:
    assert type(doorbell_of(Path("/data", folder), platform)) is expected


async def test_each_run_has_another_key(tmp_path: Path) -> None:
    keys: list[bytes] = []
    for _ in range(2):
        doorbell = LoopbackDoorbell(tmp_path)
        server = await doorbell.open(Caller)
        keys.append((await said(doorbell))[1])
        server.close()
    assert len(set(keys)) == 2


async def test_a_file_that_others_may_read_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "window.port"
    file.write_text("old")
    file.chmod(0o644)
    server = await LoopbackDoorbell(tmp_path).open(Caller)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    server.close()


@pytest.mark.parametrize("content", ["", "80", "x y z", "-1 1 key"])
def test_a_file_that_is_not_whole_is_nobody_there(tmp_path: Path, content: str) -> None:
    (tmp_path / "window.port").write_text(content)
    with pytest.raises(OSError, match="not whole"):
        LoopbackDoorbell(tmp_path).call(1)


def test_without_a_file_nobody_is_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        LoopbackDoorbell(tmp_path).call(1)
    with pytest.raises(FileNotFoundError):
        UnixDoorbell(tmp_path).call(1)


async def test_a_folder_that_takes_no_file_costs_the_bell_and_no_more(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        await LoopbackDoorbell(tmp_path / "missing").open(Caller)


async def test_a_unix_socket_needs_no_key(tmp_path: Path) -> None:
    doorbell = UnixDoorbell(tmp_path)
    server = await doorbell.open(Caller)
    assert await said(doorbell) == (b"none", b"")
    assert os.listdir(tmp_path) == ["window.sock"]
    server.close()
    doorbell.close()
    doorbell.close()
    assert os.listdir(tmp_path) == []
