from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.servers.details_view import (
    ServerDetailsView,
    ServerInfoView,
    known_facts,
)
from desktop.gui.servers.error_view import ErrorView
from desktop.gui.servers.process_usage import ProcessUsage
from desktop.gui.widgets.visibility import scroll_area_around
from desktop.servers.state import ServerState
from tests.gui.servers.conftest import entry, note
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import OpenPanel

CONTAINER = ["run", "-i", "-v", "/srv:/data", "mcp/found"]
LIMITS = {"memory": "1 GB", "cpu": 50}


async def test_only_what_is_known_is_among_the_facts(open_panel: OpenPanel) -> None:
    panel = open_panel(
        {
            "off": entry("plain", enabled=False, cwd="/tmp"),
            "remote": {"url": "https://example.com/mcp", "enabled": False},
            "image": {"command": "docker", "args": CONTAINER, "limits": LIMITS, "enabled": False},
            "on": entry("plain"),
        }
    )
    await panel.until_words("on", "Connected")
    connections = panel.core.service.connections
    long, short = known_facts(connections["off"], None)
    assert long["Folder"] == "/tmp"
    assert short == {"Transport": "stdio"}
    long, _ = known_facts(connections["remote"], None)
    assert long == {"Address": "https://example.com/mcp"}
    long, _ = known_facts(connections["image"], None)
    assert long["May touch"] == "its container, -v /srv:/data, the network"
    assert long["Limits"] == "1 GB of memory, 50 % of a processor"
    long, short = known_facts(connections["on"], ProcessUsage(3_000_000, 65))
    assert short["PID"] == str(connections["on"].pid)
    assert short["Memory"] == "3.0 MB"
    assert short["Running for"] == "1 min"
    assert "Ready in" in short
    assert long["Server name"] == "plain 1.0"
    assert short["Protocol"]


async def test_what_a_server_offers_beside_tools_is_counted_once_it_was_read(
    open_panel: OpenPanel,
) -> None:
    panel = open_panel({"on": entry("offers")})
    await panel.until_words("on", "Connected")
    connection = panel.core.service.connections["on"]
    before = known_facts(connection, None)[0]["Offers"]
    await connection.resources.list()
    await connection.prompts.list()

    assert before == "resources, prompts, argument completion, logging"
    after = known_facts(connection, None)[0]["Offers"]
    assert after == "resources (2), prompts (1), argument completion, logging"


def test_facts_come_and_go_and_only_the_present_ones_have_a_value(qtbot: QtBot) -> None:
    view = ServerInfoView()
    qtbot.addWidget(view)
    view.show_facts({"Command": "npx -y x"}, {"PID": "12"})
    assert view.value("Command") == "npx -y x"
    assert view.value("PID") == "12"
    view.show_facts({"Command": "npx -y x"}, {"Memory": "3 MB"})
    assert view.value("PID") == ""
    assert view.value("Memory") == "3 MB"


def test_a_value_of_any_length_takes_a_bounded_room(qtbot: QtBot) -> None:
    view = ServerInfoView()
    qtbot.addWidget(view)
    view.show_facts({"Command": "x" * 100_000}, {})
    assert len(view.value("Command")) < 1000


def test_an_error_is_plain_text_in_full_and_its_height_is_bounded(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    connection = open_core({"files": entry("plain", enabled=False)}).service.connections["files"]
    view = ErrorView(theme)
    qtbot.addWidget(view)
    view.resize(300, 600)
    connection.state = ServerState("failed", "<img src=x> " * 200 + "the end")
    view.show_failure(connection)
    assert view.text.endswith("the end")
    assert view.sizeHint().height() < 400
    assert all(
        label.textFormat() == Qt.TextFormat.PlainText
        for label in view.findChildren(QLabel)
        if label.text()
    )
    connection.state = ServerState()
    view.show_failure(connection)
    assert view.isHidden()


def test_its_buttons_ask_for_the_server_that_is_shown(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    view, asked = ServerDetailsView(theme), list[str]()
    qtbot.addWidget(view)
    view.edit_requested.connect(partial(note, asked, "edit"))
    view.remove_requested.connect(partial(note, asked, "remove"))
    view.restart_requested.connect(partial(note, asked, "restart"))
    view.show_server(core.service.connections["files"])
    QTest.mouseClick(view.edit, Qt.MouseButton.LeftButton)
    view.more.menu().actions()[-1].trigger()
    QTest.mouseClick(view.restart, Qt.MouseButton.LeftButton)
    assert asked == ["edit files", "remove files"]
    assert not view.restart.isEnabled()


def test_it_can_show_none(theme: Theme, qtbot: QtBot) -> None:
    view = ServerDetailsView(theme)
    qtbot.addWidget(view)
    view.show_server(None)
    assert view.connection is None


async def test_a_low_page_squeezes_no_text_but_scrolls(open_panel: OpenPanel) -> None:
    panel = open_panel({"broken": entry("exits_at_start")})
    await panel.until_words("broken", "Failed")
    panel.page.list.select("broken")
    panel.page.resize(700, 260)
    details = panel.page.details
    await turns()
    wrapped = [each for each in details.findChildren(QLabel) if each.wordWrap() and each.text()]
    shown = [each for each in wrapped if each.isVisible()]
    assert details.error.headline in shown
    assert [
        each.text() for each in shown if each.height() < each.heightForWidth(each.width())
    ] == []
    assert details.tabs.height() >= details.tabs.minimumHeight() > 100
    area = scroll_area_around(details.error)
    assert area is not None
    assert area.verticalScrollBar().maximum() > 0
    panel.page.resize(1100, 700)
    await turns()
    assert area.verticalScrollBar().maximum() == 0
