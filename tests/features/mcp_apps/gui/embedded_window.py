"""A window with an app inside, as a process of its own: prints what the app found, as JSON.

Apart from the tests, because QtWebEngine has to be prepared before there is an application.

    embedded_window.py FOLDER PORT WHAT [WAY]

FOLDER is for the config, WHAT the app of `hostile_app`, and PORT what it must not come to.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop.features.mcp_apps.bridge import ShownCall
from desktop.features.mcp_apps.gui import early, embedded
from desktop.features.mcp_apps.gui.app_card import AppCard
from desktop.gui.event_loop import WindowLoop
from desktop.gui.theme import Theme
from desktop.values.tool_types import ToolCall
from tests.features.mcp_apps.looking import looking, script, until
from tests.gui.waiting import happens

PICTURE = "embedded.png"
QUIET = 5.0
"""Seconds in which something would arrive where it is not kept from it."""


async def look(
    app: QApplication, folder: Path, port: str, what: str, way: str
) -> dict[str, object]:
    """Open the app by a click on *Open here*, allow its calls, and close it again."""
    theme = Theme(app)
    hostile = script("hostile_app", "--what", what, "--listener", port, "--way", way)
    async with looking(folder, with_browser=False, hostile=hostile) as person:
        result = await person.core.executor.run(ToolCall("hostile:show", {}))
        tool = person.core.registry.find("hostile:show").definition
        embed = embedded.embedding(theme)
        assert embed is not None
        card = AppCard(theme, person.apps, ShownCall(tool, {}, result), embed=embed)
        card.resize(900, 950)
        card.show()
        await happens(card.loaded)
        card.here.click()
        view = card.view
        assert view is not None
        person.follow(view)
        await until(view, lambda: view.phase == "open")
        found: dict[str, object] = await person.reported()
        await asyncio.sleep(QUIET if what == "webrtc" else 0)
        card.grab().save(str(folder / PICTURE))
        state = card.state.text()
        height = card.inside.height() if card.inside is not None else 0
        card.close_view.click()
        await view.closed()
        ended = card.inside is None
        card.deleteLater()
        await asyncio.sleep(0)
    return {"found": found, "state": state, "ended": ended, "height": height}


def main() -> None:
    folder, port, what, *way = sys.argv[1:]
    early.prepare()
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with WindowLoop(app) as loop:
        seen = loop.run_until_complete(look(app, Path(folder), port, what, *(way or ["itself"])))
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main()
