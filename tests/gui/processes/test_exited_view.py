from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.processes.page import ExitedView
from desktop.processes.tracker import McpProcessTracker, RecentExits
from tests.processes.recorder import tracked_server

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


async def test_an_end_is_added_on_top_in_one_line(qtbot: QtBot, theme: Theme) -> None:
    tracker = McpProcessTracker()
    view = ExitedView(theme, RecentExits(tracker))
    qtbot.addWidget(view)
    assert view.lines == ()
    assert view.isHidden()
    tracked, _ = await tracked_server(tracker, "plain")
    await tracker.close_connection(tracked)
    tracked.owner = "a\nb"
    tracker.removed.send(tracked, "left")
    left, closed = view.lines
    assert f"a b  ·  Could not be ended  ·  PID {tracked.process.pid}" in left
    assert "plain  ·  Stopped  ·" in closed
    assert not view.isHidden()


async def test_colours_follow_the_theme(qtbot: QtBot, theme: Theme) -> None:
    tracker = McpProcessTracker()
    view = ExitedView(theme, RecentExits(tracker))
    qtbot.addWidget(view)
    tracked, _ = await tracked_server(tracker, "plain")
    await tracker.close_connection(tracked)
    light = view.list.item(0).foreground().color()
    theme.set_scheme("dark")
    assert view.list.item(0).foreground().color() != light
    theme.set_scheme("light")
