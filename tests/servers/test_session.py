"""A session greets in the right way, follows the tools of its server and can always be left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.servers.connection import ServerConnection
from desktop.servers.session import ABOUT_LIMIT
from tests.live_servers import connected, stdio, surroundings, until, written

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_list_that_is_read_again_never_shrinks_to_its_first_page(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script)))
    async with connected(config) as connection:
        sizes: list[int] = []
        connection.tools_changed.connect(lambda: sizes.append(len(connection.tools)))
        await connection.call_tool("tool_0", {})
        await until(connection.tools_changed, lambda: len(connection.tools) == 31)
        assert sizes == [31]


async def test_a_list_that_can_no_longer_be_read_leaves_the_old_one(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script), "--then", "refuse"))
    async with connected(config) as connection:
        await connection.call_tool("tool_0", {})
        await written(connection, "the changed tool list could not be read: not now")
        assert len(connection.tools) == 30
        assert connection.is_connected


async def test_stopping_does_not_wait_for_a_list_that_is_being_read(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(CHANGING_PAGES, "utf-8")
    config = stdio("plain", name="pages")
    config = config.changed(args=(*config.args[:2], str(script), "--then", "mute"))
    async with connected(config) as connection:
        await connection.call_tool("tool_0", {})
        await written(connection, "asked again")
        session = connection.session
        assert session is not None
        await connection.disconnect()
        assert connection.state.phase == "stopped"
        assert connection.tools == ()


async def test_the_first_tools_are_there_before_the_last() -> None:
    sizes: list[int] = []
    connection = ServerConnection(
        stdio("many_tools", "--count", 600, "--bytes", 300, "--page", 100), surroundings()
    )
    connection.tools_changed.connect(lambda: sizes.append(len(connection.tools)))
    await connection.connect()
    assert sizes == [100, 600]
    await connection.disconnect()


async def test_a_server_of_the_newer_era_is_not_taken_for_an_old_one() -> None:
    around = surroundings()
    config = stdio("list_changes", "--era", "modern", era="auto")
    async with connected(config, around) as connection:
        assert connection.about.protocol == "2026-07-28"
    assert around.eras.mode(config) == "auto"


async def test_what_was_remembered_of_a_server_is_forgotten_when_it_does_not_hold() -> None:
    around = surroundings()
    config = stdio("exits_at_start", era="auto")
    around.eras.remember_legacy(config)
    async with connected(config, around) as connection:
        assert connection.state.phase == "failed"
    assert around.eras.mode(config) == "auto"


async def test_a_server_that_refuses_the_newer_greeting_is_greeted_in_the_old_way() -> None:
    async with connected(stdio("plain", era="auto")) as connection:
        assert connection.about.protocol == "2025-11-25"


async def test_the_texts_of_a_server_about_itself_are_cut(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(TALKATIVE, "utf-8")
    config = stdio("plain", name="talkative")
    async with connected(config.changed(args=(*config.args[:2], str(script)))) as connection:
        about = connection.about
        assert (about.title, len(about.instructions)) == ("A title", ABOUT_LIMIT)


async def test_a_server_without_tools_connects(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(TALKATIVE, "utf-8")
    config = stdio("plain", name="talkative")
    async with connected(config.changed(args=(*config.args[:2], str(script)))) as connection:
        assert connection.is_connected
        assert connection.tools == ()


def test_the_log_of_a_server_stays_in_its_folder(tmp_path: Path) -> None:
    around = surroundings(logs=tmp_path)
    for name in ("../../etc/passwd", "..", "a/b", "C:\\x", "ä ö"):
        file = around.log_file(name)
        assert file is not None
        assert file.parent == tmp_path
        assert file.name.strip(".") not in ("", "log")


HEAD = f"""
import sys
sys.path.insert(0, {str(__file__).rpartition("/tests/")[0]!r})
from tests.servers.base import ECHO, Server, Tool, echo, log, option
"""
CHANGING_PAGES = (
    HEAD
    + """
def grow(call):
    server.tools.append(Tool("late", echo))
    server.answers["tools/list"] = {"": pages, "refuse": refuse, "mute": mute}[option("then")]
    server.notify("notifications/tools/list_changed", {})
    return "grown"

def pages(message):
    start = int((message.get("params") or {}).get("cursor") or 0)
    page = {"tools": [tool.declaration for tool in server.tools[start:start + 10]]}
    return page | ({"nextCursor": str(start + 10)} if start + 10 < len(server.tools) else {})

def refuse(message):
    server.refuse(message["id"], -32000, "not now")

def mute(message):
    log("asked again")

server = Server("pages", [Tool(f"tool_{n}", grow) for n in range(30)])
server.answers["tools/list"] = pages
server.serve()
"""
)
TALKATIVE = (
    HEAD
    + """
def introduce(message):
    info = {"name": "talkative", "title": "A title", "version": "2"}
    version = message["params"]["protocolVersion"]
    texts = {"serverInfo": info, "instructions": "i" * 1_000_000}
    return {"protocolVersion": version, "capabilities": {}} | texts

server = Server("talkative")
server.answers["initialize"] = introduce
server.serve()
"""
)
