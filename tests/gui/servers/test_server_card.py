from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.gui.servers.process_usage import ProcessUsage
from desktop.gui.servers.server_list import ServerCard
from desktop.gui.theme import space
from desktop.gui.widgets.labels import FactsLabel
from desktop.gui.widgets.server_faces import face
from desktop.gui.widgets.switch import Switch
from tests.gui.servers.conftest import entry, note_switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from tests.gui.servers.conftest import Panel


def test_a_click_and_space_ask_and_nothing_moves_until_told(qtbot: QtBot) -> None:
    switch, asked = Switch(), list[bool]()
    qtbot.addWidget(switch)
    switch.switch_requested.connect(asked.append)
    switch.show()
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    assert asked == [True]
    assert not switch.isChecked()
    switch.setChecked(True)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert asked == [True, False]
    assert switch.isChecked()


def test_a_card_says_everything_by_its_accessible_name(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    card = ServerCard(theme, core.service.connections["files"])
    qtbot.addWidget(card)
    assert card.accessibleName().startswith("files, Off, stdio, ")
    assert card.switch.accessibleName() == "Use files"


async def test_a_start_says_what_the_server_writes_that_is_no_message(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": {"command": "sleep", "args": ["60"]}})
    connection = core.service.connections["files"]
    card = ServerCard(theme, connection)
    qtbot.addWidget(card)
    connection.start()
    connection.output.add_noise("Serving on port 3000")
    card.show_start(None)
    assert card.figures == "Writes to stdout what is no message: Serving on port 3000"
    await core.close()
    connection.output.close()


def test_a_double_click_opens_and_the_switch_asks(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    card, asked = ServerCard(theme, core.service.connections["files"]), list[str]()
    qtbot.addWidget(card)
    card.details_requested.connect(asked.append)
    card.switch_requested.connect(partial(note_switch, asked))
    card.show()
    QTest.mouseDClick(card, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(card, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card.switch, Qt.MouseButton.LeftButton)
    assert asked == ["files", "files on"]


def test_memory_is_among_the_figures_once_it_is_known(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    card = ServerCard(theme, core.service.connections["files"])
    qtbot.addWidget(card)
    assert "MB" not in card.figures
    card.show_usage(ProcessUsage(12_000_000, 1))
    assert "12 MB" in card.figures
    card.refresh()  # without a process there is no memory
    assert "MB" not in card.figures


def test_a_narrow_card_keeps_its_room_for_words(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    card = ServerCard(theme, core.service.connections["files"])
    qtbot.addWidget(card)
    card.resize(240, 80)
    card.show()
    assert not card.face.isVisible()
    card.resize(300, 80)
    assert card.face.isVisible()


async def test_the_weightiest_figures_come_first_and_none_is_cut_in_two(
    open_panel: Callable[..., Panel], theme: Theme, qtbot: QtBot
) -> None:
    panel = open_panel({"files": entry("plain")})
    await panel.until_words("files", "Connected")
    connection = panel.core.service.connections["files"]
    card = ServerCard(theme, connection)
    qtbot.addWidget(card)
    card.resize(434, 62)  # in a window of 1180 pixels
    card.show()
    card.show_usage(ProcessUsage(12_000_000, 1.0, 0.0))
    (line,) = card.findChildren(FactsLabel)
    assert line.text() == "14 tools · 12 MB"
    card.show_usage(ProcessUsage(12_000_000, 2.0, 73.0))
    assert line.text().startswith("14 tools · 12 MB · CPU 73 %")
    for width in range(200, 700, 7):
        card.resize(width, 62)
        shown = line.text().removesuffix(" …")
        assert card.figures.startswith(shown)
        assert shown.split(" · ") == card.figures.split(" · ")[: shown.count(" · ") + 1]
    card.resize(900, 62)
    assert line.text() == card.figures


async def test_a_state_is_said_once_and_in_words_only_where_there_is_trouble(
    open_panel: Callable[..., Panel],
) -> None:
    servers = {"on": entry("plain"), "off": entry("plain", enabled=False), "bad": {"command": "?"}}
    panel = open_panel(servers)
    await panel.until_words("on", "Connected")
    await panel.until_words("bad", "Failed")
    shown = {
        name: (card.badge.isVisible(), card.dot.isVisible())
        for name, card in panel.page.list.cards.items()
        if name in servers
    }
    assert shown == {"on": (False, True), "off": (False, False), "bad": (True, False)}
    assert "PID" not in panel.card("on").figures


def test_a_card_has_the_face_of_its_server(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"files": entry("plain", enabled=False)})
    card = ServerCard(theme, core.service.connections["files"])
    qtbot.addWidget(card)
    assert card.face.pixmap().toImage() == face(theme, "files", size=space(8)).toImage()
