"""The window app in a process of its own that obeys words on its stdin, one a line.

For what no signal can ask for. It answers `done WORD`; the end of its stdin quits it. It differs
from `python -m desktop` only in who builds the loop.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
import traceback
from typing import TYPE_CHECKING, cast

from PySide6.QtWidgets import QApplication

from desktop.app import WindowApp
from desktop.base.paths import find_paths
from desktop.base.tasks import spawn
from desktop.cli.commands import read_path_flags
from desktop.diagnostics import logs
from desktop.gui.event_loop import WindowLoop
from tests.faults.rows import SILENT

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.core import Core
    from desktop.servers.connection import ServerConnection


class Driver:
    """One run: starts the app and does what it is told."""

    def __init__(self, app: QApplication, args: list[str]) -> None:
        self._window = WindowApp(app, find_paths(*read_path_flags(args)))
        self._failed = asyncio.Event()
        self._failing = asyncio.Event()
        self._core: Core | None = None
        self._heard = b""
        self._words: dict[str, Callable[[Core], Awaitable[None]]] = {
            "off": self._off,
            "restart": self._restart,
            "close": self._close,
            "call": self._call,
            "quit": self._quit,
            "quit-twice": self._quit_twice,
            "raise": self._raise,
            "fail": self._fail,
        }

    async def run(self) -> None:
        """Run the app to its end.

        Raises:
            RuntimeError: as it was told to: nothing was shut down.
        """
        logs.configure(self._window.paths.logs)
        self._window.show()
        run = spawn(self._window.run(self._listen), "app")
        failed = spawn(self._failed.wait(), "failed")
        await asyncio.wait({run, failed}, return_when=asyncio.FIRST_COMPLETED)
        if self._failed.is_set():
            raise RuntimeError("an exception in the main loop")
        failed.cancel()
        await run

    async def _listen(self, _: WindowApp, core: Core) -> None:
        """Start the one that never answers only now: the app is ready once no other connects."""
        self._core = core
        if SILENT in core.store.servers:
            core.store.set_enabled(SILENT, True)
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._read)
        say("ready")
        await self._failing.wait()
        raise RuntimeError("an exception in the run")

    def _read(self) -> None:
        data = os.read(sys.stdin.fileno(), 1000)
        if not data:
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
            self._window.quit()
        *lines, self._heard = (self._heard + data).split(b"\n")
        for line in lines:
            spawn(self._obey(line.decode()), "obey")

    async def _obey(self, word: str) -> None:
        assert self._core is not None
        await self._words[word](self._core)
        say(word)

    async def _off(self, core: Core) -> None:
        for name in tuple(core.service.connections):
            core.store.set_enabled(name, False)

    async def _restart(self, core: Core) -> None:
        for name in core.service.connections:
            core.service.restart(name)

    async def _close(self, core: Core) -> None:
        await core.close()

    async def _call(self, core: Core) -> None:
        """A call to each server that it never answers, but received: it answered a later one."""
        connected = [
            connection
            for connection in core.service.connections.values()
            if connection.is_connected
        ]
        for connection in connected:
            spawn(connection.call_tool("wait", {}), f"call to {connection.name}")
        await asyncio.gather(*(_echo(connection) for connection in connected))

    async def _quit(self, _: Core) -> None:
        self._window.window.close()

    async def _quit_twice(self, _: Core) -> None:
        self._window.window.close()
        await asyncio.sleep(0.1)  # the shutdown has begun, and those that misbehave take seconds
        self._window.window.close()
        self._window.quit()

    async def _raise(self, _: Core) -> None:
        """Out of the loop, with everything as it is."""
        self._failed.set()

    async def _fail(self, _: Core) -> None:
        """In the app's own code, which then ends itself."""
        self._failing.set()


async def _echo(connection: ServerConnection) -> None:
    await connection.call_tool("echo", {"message": "there"}, timeout=20)


def say(word: str) -> None:
    sys.stdout.write(f"done {word}\n")
    sys.stdout.flush()


def main(args: list[str]) -> None:
    # Registered first, so it runs last, after the tracker's: a loop that ended by an exception
    # leaves Qt's objects as they are, and the interpreter that takes them apart may crash.
    code = [0]
    atexit.register(lambda: os._exit(code[0]))
    app = cast("QApplication", QApplication.instance() or QApplication(sys.argv[:1]))
    app.setQuitOnLastWindowClosed(False)
    loop = cast("asyncio.AbstractEventLoop", WindowLoop(app))
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(Driver(app, args).run())
    except RuntimeError:
        traceback.print_exc()
        code[0] = 1
    finally:
        loop.close()


if __name__ == "__main__":
    main(sys.argv[1:])
