"""Runs the app's window in this process, with servers, for what looks at it meanwhile."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping

    from desktop.app import WindowApp
    from desktop.core import Core

    Look = Callable[[WindowApp, Core], Awaitable[Mapping[str, float]]]


def look_at_window(server: str, entry: Mapping[str, object], look: Look) -> dict[str, float]:
    """As `look_at_servers`, with one server: its name, and its entry as in the config file."""
    return look_at_servers({server: entry}, look)


def look_at_servers(servers: Mapping[str, Mapping[str, object]], look: Look) -> dict[str, float]:
    """What `look` measures once the window is ready; the window is closed afterwards.

    Args:
        servers: by their names, as in the config file.
        look: gets the app and its core.
    """
    from desktop.patches.qt import import_qt_lightly, skip_feature_search

    import_qt_lightly()  # as the app does
    skip_feature_search()
    from PySide6.QtWidgets import QApplication
    from qasync import QEventLoop

    from desktop.app import WindowApp
    from desktop.base.paths import Paths

    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
        application = QApplication([])
        application.setQuitOnLastWindowClosed(False)
        app = WindowApp(application, Paths(folder / "mcp.json", folder / "data"))
        app.show()

        async def then(app: WindowApp, core: Core) -> None:
            try:
                result.update(await look(app, core))
            finally:
                app.quit()

        loop = cast("asyncio.AbstractEventLoop", QEventLoop(application))
        try:
            loop.run_until_complete(app.run(then))
        finally:
            loop.close()
    return result
