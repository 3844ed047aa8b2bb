from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop.config.models import ServerConfig
from desktop.gui.servers.server_list import ServerList
from tests.gui.servers.conftest import entry, note

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.theme import Theme

OFF = entry("plain", enabled=False)


def open_list(core: Core, theme: Theme, qtbot: QtBot) -> ServerList:
    servers = ServerList(theme)
    qtbot.addWidget(servers)
    servers.show_servers(core.service.connections)
    servers.show()
    return servers


def test_a_person_s_servers_come_first_and_the_first_is_selected(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    servers = open_list(open_core({"b": OFF, "a": OFF}), theme, qtbot)
    assert list(servers.cards)[:2] == ["b", "a"]
    assert "calculator" in list(servers.cards)[2:]
    assert servers.selected == "b"


async def test_where_the_selected_server_goes_its_neighbour_is_selected(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({"a": OFF, "b": OFF, "c": OFF})
    servers = open_list(core, theme, qtbot)
    servers.select("b")
    servers.focus_selected()
    core.store.remove_server("b")
    servers.show_servers(core.service.connections)
    assert servers.selected == "c"
    assert servers.focusWidget() is servers.cards["c"]  # else the rail would have the keyboard
    core.store.remove_server("c")
    servers.show_servers(core.service.connections)
    assert servers.selected in core.service.connections
    await core.close()


def test_only_the_selected_card_takes_the_tab_key(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    servers = open_list(open_core({"a": OFF, "b": OFF}), theme, qtbot)
    servers.select("b")
    by_tab = Qt.FocusPolicy.TabFocus
    assert [n for n, card in servers.cards.items() if card.focusPolicy() & by_tab] == ["b"]


def test_delete_and_f2_ask_for_the_selected_server(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    servers = open_list(open_core({"a": OFF, "b": OFF}), theme, qtbot)
    asked = list[str]()
    servers.remove_requested.connect(partial(note, asked, "remove"))
    servers.edit_requested.connect(partial(note, asked, "edit"))
    QTest.keyClick(servers.cards["a"], Qt.Key.Key_Delete)
    QTest.keyClick(servers.cards["a"], Qt.Key.Key_F2)
    assert asked == ["remove a", "edit a"]


def test_a_server_whose_card_was_not_built_yet_can_be_selected(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    servers = open_list(open_core({f"s{n:02}": OFF for n in range(50)}), theme, qtbot)
    assert "s49" not in servers.cards
    servers.select("s49")
    assert servers.selected == "s49"


def test_a_server_that_is_new_and_selected_is_seen_whole(
    open_core: Callable[..., Core], theme: Theme, qtbot: QtBot
) -> None:
    core = open_core({f"server{number}": OFF for number in range(12)})
    servers = open_list(core, theme, qtbot)
    servers.resize(400, 300)
    core.store.add_server(ServerConfig(name="new", command="x", enabled=False))
    servers.show_servers(core.service.connections)

    servers.select("new")

    card = servers.cards["new"]
    top = card.mapTo(servers.viewport(), QPoint(0, 0)).y()
    assert 0 <= top <= servers.viewport().height() - card.height()
    assert card.height() > 20
