"""An app inside the window, by the real QtWebEngine; skipped without `mcp-desktop[apps]`.

The window is a process of its own: see `embedded_window`. It needs a display, as QtWebEngine shows
nothing offscreen on most machines.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.mcp_apps.gui import embedded
from resources.packaging.setup_env import is_root
from tests.features.mcp_apps.gui.embedded_window import PICTURE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.process,
    pytest.mark.timeout(120),
    pytest.mark.skipif(not embedded.is_installed(), reason="mcp-desktop[apps] is not installed"),
    pytest.mark.skipif(
        sys.platform == "linux" and not os.environ.get("DISPLAY"), reason="there is no display"
    ),
]
LIMIT = 90.0


class Network(asyncio.DatagramProtocol):
    """A port of 127.0.0.1, UDP and TCP, and what came to it."""

    def __init__(self) -> None:
        self.came: list[str] = []

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        del addr
        self.came.append(f"UDP {data[:4].hex()}")

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came.append((await reader.readline()).decode("latin-1") or "nothing was sent")
        writer.close()


async def look(folder: Path, *what: str) -> tuple[dict[str, Any], list[str]]:
    """What the app found in a window of its own, and what of it came to the network."""
    network = Network()
    server = await asyncio.start_server(network.take, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    udp, _ = await loop.create_datagram_endpoint(lambda: network, local_addr=("127.0.0.1", port))
    environ = {**os.environ, "QT_QPA_PLATFORM": "xcb"} if sys.platform == "linux" else os.environ
    if is_root():
        environ = {**environ, "QTWEBENGINE_DISABLE_SANDBOX": "1"}  # the engine's own rule for root
    module = "tests.features.mcp_apps.gui.embedded_window"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, str(folder), str(port), *what,
        env=environ, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(LIMIT):
            out, errors = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        udp.close()
        server.close()
    assert process.returncode == 0, errors.decode(errors="replace")
    return json.loads(out.splitlines()[-1]), network.came


async def test_an_app_is_shown_in_its_sandbox_and_ends_with_its_view(tmp_path: Path) -> None:
    seen, came = await look(tmp_path, "escape")
    assert seen["state"] == "Open below"
    assert seen["ended"]
    found = seen["found"]
    assert found["origin"] == "null"
    reached = {"fetch", "image", "script", "style", "socket", "worker", "parent", "top", "storage"}
    refused = {"TypeError", "refused", "SecurityError"}
    assert {found[one] for one in reached} <= refused
    assert found["popup"] == "null"
    assert [one for one in came if one != "nothing was sent"] == []
    assert (tmp_path / PICTURE).stat().st_size > 0


@pytest.mark.parametrize("way", ["itself", "srcdoc"])
async def test_an_app_reaches_nothing_by_webrtc(tmp_path: Path, way: str) -> None:
    seen, came = await look(tmp_path, "webrtc", way)
    assert seen["found"] == {"begun": way}
    assert came == []


async def test_an_app_in_full_view_is_as_tall_as_the_window_lets_it_be(tmp_path: Path) -> None:
    seen, _ = await look(tmp_path, "full")
    assert seen["found"]["displayMode"] == "fullscreen"
    assert seen["height"] > embedded.HEIGHT
