"""Built-in servers that are off take one row until a person asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.focus import focused
from tests.gui.servers.conftest import entry
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.gui.servers.conftest import Panel

LEFT = Qt.MouseButton.LeftButton


def shown(panel: Panel) -> list[str]:
    return [name for name, card in panel.page.list.cards.items() if card.isVisible()]


async def test_they_are_one_row_and_come_with_a_click(open_panel: Callable[..., Panel]) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    await turns(20)
    servers = panel.page.list
    assert shown(panel) == ["files"]
    assert servers.fold.text() == f"Show {len(servers.cards) - 1} that are off"
    QTest.mouseClick(servers.fold, LEFT)
    assert shown(panel) == list(servers.cards)
    QTest.mouseClick(servers.fold, LEFT)
    assert shown(panel) == ["files"]


async def test_keys_pass_over_them_and_one_that_is_asked_for_is_there(
    open_panel: Callable[..., Panel],
) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    await turns(20)
    servers = panel.page.list
    servers.focus_selected()
    QTest.keyClick(focused(), Qt.Key.Key_End)
    assert servers.selected == "files"
    servers.select("shell")
    assert shown(panel) == ["files", "shell"]


async def test_one_that_is_switched_on_stays_in_the_list(open_panel: Callable[..., Panel]) -> None:
    panel = open_panel({"files": entry("plain", enabled=False)})
    await turns(20)
    servers = panel.page.list
    servers.select("time")
    QTest.mouseClick(servers.cards["time"].switch, LEFT)
    await panel.until_words("time", "Connected")
    servers.select("files")
    panel.page.list.fold.toggle()
    panel.page.list.fold.toggle()
    assert shown(panel) == ["files", "time"]
