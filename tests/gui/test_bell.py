"""Only the one message rings; whatever else is said costs nothing."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest

from desktop.gui.bell import Bell
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def bell(tmp_path: Path) -> AsyncIterator[tuple[str, list[str]]]:
    """The address of a bell, and how often it rang."""
    rung: list[str] = []
    path = str(tmp_path / "bell")
    server = await asyncio.get_running_loop().create_unix_server(
        lambda: Bell(lambda text: rung.append(f"rung {text}".strip()), b"raise", b"ok\n"), path
    )
    yield path, rung
    server.close()
    await server.wait_closed()


async def say(path: str, *parts: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    for part in parts:
        writer.write(part)
        await asyncio.sleep(0)
    said = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    return said


async def test_the_message_rings_and_is_answered(bell: tuple[str, list[str]]) -> None:
    path, rung = bell
    assert await say(path, b"rai", b"se\n") == b"ok\n"
    assert rung == ["rung"]


async def test_a_text_after_the_word_is_passed_on(bell: tuple[str, list[str]]) -> None:
    path, rung = bell
    assert await say(path, b"raise /a file", b".json\n") == b"ok\n"
    assert rung == ["rung /a file.json"]


async def test_a_line_without_an_end_is_hung_up_on(bell: tuple[str, list[str]]) -> None:
    path, rung = bell
    assert await say(path, b"raise " + b"x" * 80_000) == b""
    assert rung == []


async def test_anything_else_is_hung_up_on(bell: tuple[str, list[str]]) -> None:
    path, rung = bell
    assert await say(path, b"x" * 100) == b""
    assert rung == []


async def test_with_a_key_only_who_knows_all_of_it_rings(tmp_path: Path) -> None:
    rung: list[str] = []
    path = str(tmp_path / "bell")
    server = await asyncio.get_running_loop().create_unix_server(
        lambda: Bell(rung.append, b"raise", b"ok\n", b"key"), path
    )
    for wrong in (b"raise\n", b"raise ke\n", b"raise keys /a\n", b"raise /a key\n"):
        assert await say(path, wrong) == b""
    assert rung == []
    assert await say(path, b"raise key\n") == b"ok\n"
    assert await say(path, b"raise key /a file\n") == b"ok\n"
    assert rung == ["", "/a file"]
    server.close()
    await server.wait_closed()


async def test_a_wrong_beginning_of_the_key_is_not_told_from_a_right_one(tmp_path: Path) -> None:
    path = str(tmp_path / "bell")
    server = await asyncio.get_running_loop().create_unix_server(
        lambda: Bell(lambda _: None, b"raise", b"ok\n", b"key"), path
    )
    for beginning in (b"raise k", b"raise x"):
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(beginning)
        await turns()
        assert not reader.at_eof()
        writer.write(b"\n")
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()
    server.close()
    await server.wait_closed()


async def test_who_says_nothing_is_hung_up_on(
    bell: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, rung = bell
    monkeypatch.setattr("desktop.gui.bell.LIMIT", 0.01)
    with contextlib.suppress(ConnectionResetError):
        assert await say(path) == b""
    assert rung == []
