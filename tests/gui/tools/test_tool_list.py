from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from desktop.gui.tools.remembered_tools import RememberedTools
from desktop.gui.tools.tool_list import ListHint, ToolList
from desktop.gui.widgets.row_layout import star_place
from desktop.values.tool_types import Annotations
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_the_step_is_a_button(qtbot: QtBot) -> None:
    hint = ListHint()
    hint.set_text("Nothing", "Because.", "Do something")
    qtbot.addWidget(hint)
    asked: list[None] = []
    hint.step_requested.connect(lambda: asked.append(None))
    QTest.mouseClick(hint.findChildren(QPushButton)[0], Qt.MouseButton.LeftButton)
    assert asked == [None]
    assert [label.text() for label in hint.findChildren(QLabel)] == ["Nothing", "Because."]


MANY = [tool(f"s:t{i:03}") for i in range(200)]


@pytest.fixture
def remembered(tmp_path: Path) -> RememberedTools:
    return RememberedTools(QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def tools(theme: Theme, qtbot: QtBot, remembered: RememberedTools) -> ToolList:
    made = ToolList(theme, remembered)
    qtbot.addWidget(made)
    made.resize(300, 400)
    made.show()
    return made


def names(tools: ToolList) -> list[str]:
    model = tools.view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def hint_button(tools: ToolList) -> QPushButton:
    hints = [hint for hint in tools.findChildren(ListHint) if hint.isVisible()]
    return hints[0].findChildren(QPushButton)[0]


def words(tools: ToolList) -> str:
    return " ".join(label.text() for label in tools.findChildren(QLabel) if label.isVisible())


def test_without_tools_it_offers_the_first_step(tools: ToolList, qtbot: QtBot) -> None:
    assert "No tools yet" in words(tools)
    with qtbot.waitSignal(tools.servers_requested):
        QTest.mouseClick(hint_button(tools), Qt.MouseButton.LeftButton)


def test_typing_filters_and_clearing_shows_all_again(tools: ToolList) -> None:
    tools.replace_tools([tool("a:one"), tool("b:two")])
    assert "2 tools" in words(tools)
    QTest.keyClicks(tools.search_box, "tw")
    assert names(tools) == ["two"]
    assert "1 of 2 tools" in words(tools)
    QTest.keyClicks(tools.search_box, "zz")
    assert "Nothing matches" in words(tools)
    QTest.mouseClick(hint_button(tools), Qt.MouseButton.LeftButton)
    assert names(tools) == ["a", "one", "b", "two"]


def test_arrows_in_the_search_box_move_the_selection(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    chosen: list[str] = []
    tools.tool_selected.connect(chosen.append)
    box = tools.search_box
    QTest.keyClick(box, Qt.Key.Key_Up)
    QTest.keyClick(box, Qt.Key.Key_Down)
    QTest.keyClick(box, Qt.Key.Key_Up)
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert chosen == ["s:t000", "s:t001", "s:t000"]
    QTest.keyClick(box, Qt.Key.Key_PageDown)
    assert tools.current_key > "s:t003"


def test_enter_goes_on_to_the_best_match(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    QTest.keyClicks(tools.search_box, "t15")
    activated: list[str] = []
    tools.activated.connect(activated.append)
    QTest.keyClick(tools.search_box, Qt.Key.Key_Return)
    QTest.keyClick(tools.view, Qt.Key.Key_Return)
    assert activated == ["s:t150", "s:t150"]


def test_enter_goes_to_the_first_match_also_where_the_chosen_tool_is_among_them(
    tools: ToolList,
) -> None:
    tools.replace_tools([tool("a:find_all"), tool("a:find")])
    tools.select("a:find_all")
    activated: list[str] = []
    tools.activated.connect(activated.append)
    QTest.keyClicks(tools.search_box, "find")
    QTest.keyClick(tools.search_box, Qt.Key.Key_Return)
    QTest.keyClick(tools.search_box, Qt.Key.Key_Down)
    QTest.keyClick(tools.search_box, Qt.Key.Key_Return)
    assert activated == ["a:find", "a:find_all"]


def test_an_update_keeps_selection_and_scroll_position(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    tools.select("s:t100")
    bar = tools.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = tools.view.indexAt(tools.view.viewport().rect().topLeft()).data()
    chosen: list[str] = []
    tools.tool_selected.connect(chosen.append)
    tools.replace_tools([tool("a:new"), *(replace(each) for each in MANY)])
    after = tools.view.indexAt(tools.view.viewport().rect().topLeft()).data()
    assert after == before
    assert tools.view.currentIndex().data() == "t100"
    assert chosen == []


def test_the_selection_returns_with_the_tool(tools: ToolList) -> None:
    tools.replace_tools(MANY)
    tools.select("s:t007")
    QTest.keyClicks(tools.search_box, "t1")
    assert not tools.view.currentIndex().isValid()
    tools.search_box.clear()
    assert tools.view.currentIndex().data() == "t007"
    tools.replace_tools([])
    tools.replace_tools(MANY)
    assert tools.view.currentIndex().data() == "t007"
    assert tools.current_key == "s:t007"


SERVERS = [
    tool("files:read", annotations=Annotations(read_only=True)),
    tool("files:remove", annotations=Annotations(destructive=True)),
    tool("files:touch"),
    tool("web:fetch", annotations=Annotations(read_only=True)),
]


@pytest.fixture
def several(tools: ToolList) -> ToolList:
    """Two servers; the tools are in the order of `SERVERS`."""
    tools.replace_tools(SERVERS)
    tools.view.setFocus()
    return tools


def current(tools: ToolList) -> str:
    return tools.view.currentIndex().data()


def press(tools: ToolList, *keys: Qt.Key) -> str:
    """Press keys in the list; returns the row that they lead to."""
    for key in keys:
        QTest.keyClick(tools.view, key)
    return current(tools)


def row_center(tools: ToolList, name: str) -> QPoint:
    row = names(tools).index(name)
    return tools.view.visualRect(tools.view.model().index(row, 0)).center()


def click(tools: ToolList, name: str) -> None:
    QTest.mouseClick(tools.view.viewport(), Qt.MouseButton.LeftButton, pos=row_center(tools, name))


def click_star(tools: ToolList, name: str) -> None:
    row = names(tools).index(name)
    place = star_place(tools.view.visualRect(tools.view.model().index(row, 0)))
    QTest.mouseClick(tools.view.viewport(), Qt.MouseButton.LeftButton, pos=place.center())


Key = Qt.Key
ALL = ["files", "read", "remove", "touch", "web", "fetch"]


def test_tools_stand_below_their_server(several: ToolList) -> None:
    assert names(several) == ALL
    head = several.view.model().index(0, 0)
    assert head.data(Qt.ItemDataRole.AccessibleTextRole) == "files, 3 tools, open"


def test_left_goes_up_to_the_server_then_closes_it_and_right_is_the_way_back(
    several: ToolList,
) -> None:
    several.select("files:remove")

    assert press(several, Key.Key_Left) == "files"
    assert names(several) == ALL
    press(several, Key.Key_Left)
    assert names(several) == ["files", "web", "fetch"]
    assert current(several) == "files"
    head = several.view.model().index(0, 0)
    assert head.data(Qt.ItemDataRole.AccessibleTextRole) == "files, 3 tools, closed"
    press(several, Key.Key_Left)
    press(several, Key.Key_Right)
    assert names(several) == ALL
    assert press(several, Key.Key_Right) == "read"
    assert press(several, Key.Key_Right) == "read"
    assert several.current_key == "files:read"


def test_enter_and_space_open_and_close_a_server(several: ToolList) -> None:
    several.select("web:fetch")
    activated: list[str] = []
    several.activated.connect(activated.append)
    press(several, Key.Key_Left)

    for key in (Key.Key_Return, Key.Key_Space):
        press(several, key)
        assert names(several) == ALL[:-1]
        press(several, key)
        assert names(several) == ALL
    assert activated == []


def test_a_click_on_a_server_closes_it_and_the_tool_that_is_shown_stays(
    several: ToolList,
) -> None:
    click(several, "remove")
    shown: list[str] = []
    several.tool_selected.connect(shown.append)

    click(several, "files")
    assert names(several) == ["files", "web", "fetch"]
    click(several, "files")

    assert names(several) == ALL
    assert (shown, several.current_key) == ([], "files:remove")


def test_what_is_closed_stays_closed_in_the_next_run(
    several: ToolList, remembered: RememberedTools, theme: Theme, qtbot: QtBot
) -> None:
    click(several, "files")
    again = ToolList(theme, remembered)
    qtbot.addWidget(again)

    again.replace_tools(SERVERS)

    assert names(again) == ["files", "web", "fetch"]


def test_a_tool_that_is_chosen_elsewhere_opens_its_server(several: ToolList) -> None:
    click(several, "files")

    several.select("files:touch")

    assert current(several) == "touch"


def test_the_search_is_one_list_best_first_and_goes_over_closed_servers(
    several: ToolList,
) -> None:
    click(several, "files")
    QTest.keyClicks(several.search_box, "e")

    assert names(several) == ["read", "remove", "fetch", "touch"]
    QTest.keyClick(several.search_box, Key.Key_Escape)
    assert names(several) == ["files", "web", "fetch"]


def test_arrows_in_the_search_box_go_from_tool_to_tool(several: ToolList) -> None:
    chosen: list[str] = []
    several.tool_selected.connect(chosen.append)
    for _ in range(4):
        QTest.keyClick(several.search_box, Key.Key_Down)
    QTest.keyClick(several.search_box, Key.Key_Up)

    assert chosen == [*(each.key for each in SERVERS), "files:touch"]


def test_a_chip_shows_the_tools_that_say_so_and_there_is_one_at_a_time(
    several: ToolList,
) -> None:
    bar = several.filters
    QTest.mouseClick(bar.read_only, Qt.MouseButton.LeftButton)
    assert names(several) == ["files", "read", "web", "fetch"]
    assert "2 of 4 tools" in words(several)
    QTest.keyClick(bar.destructive, Key.Key_Space)
    assert names(several) == ["remove"]
    assert not bar.read_only.isChecked()
    QTest.keyClick(bar.destructive, Key.Key_Space)
    assert names(several) == ALL


def choose_server(tools: ToolList, label: str) -> None:
    """As a person does: the chip, and an entry of its menu."""
    QTimer.singleShot(0, tools.filters.menu, tools.filters.menu.close)
    QTest.mouseClick(tools.filters.server, Qt.MouseButton.LeftButton)
    action = next(one for one in tools.filters.menu.actions() if one.text() == label)
    action.trigger()


def test_the_tools_of_one_server_are_shown_alone(several: ToolList) -> None:
    choose_server(several, "web")
    assert names(several) == ["fetch"]
    assert several.filters.server.accessibleName() == "Server: web"
    QTest.keyClicks(several.search_box, "read")
    assert "Nothing matches" in words(several)
    QTest.mouseClick(hint_button(several), Qt.MouseButton.LeftButton)
    assert names(several) == ALL
    assert several.search_box.text() == ""


def test_a_chosen_server_can_be_taken_back_also_when_it_is_gone(several: ToolList) -> None:
    choose_server(several, "web")
    several.replace_tools(SERVERS[:3])
    assert "Nothing matches" in words(several)

    choose_server(several, "All servers")

    assert names(several) == ["read", "remove", "touch"]


def test_without_anything_to_tell_apart_there_are_no_chips(tools: ToolList) -> None:
    tools.replace_tools([tool("a:one")])
    assert not tools.filters.isVisible()
    tools.replace_tools([tool("a:one"), tool("b:two")])
    assert tools.filters.server.isVisible()
    assert not tools.filters.read_only.isVisible()


def test_a_star_makes_a_tool_a_favourite_without_choosing_it(
    several: ToolList, remembered: RememberedTools
) -> None:
    chosen: list[str] = []
    several.tool_selected.connect(chosen.append)

    click_star(several, "fetch")
    assert names(several) == ["Favourites", "fetch", *ALL]
    click_star(several, "fetch")

    assert names(several) == ALL
    assert (chosen, remembered.favourites) == ([], ())


def test_a_star_is_seen_on_favourites_and_below_the_pointer(
    several: ToolList, theme: Theme
) -> None:
    def star(name: str) -> set[str]:
        row = names(several).index(name)
        place = star_place(several.view.visualRect(several.view.model().index(row, 0)))
        image = several.view.viewport().grab(place).toImage()
        return {
            image.pixelColor(x, y).name()
            for x in range(image.width())
            for y in range(image.height())
        }

    accent = theme.color("accent").name()
    assert accent not in star("touch")
    several._remembered.toggle_favourite("files:touch")  # pyright: ignore[reportPrivateUsage]
    assert accent in star("touch")


def test_recent_tools_stand_on_top_the_latest_first(
    several: ToolList, remembered: RememberedTools
) -> None:
    remembered.note_use("files:touch")
    remembered.note_use("web:fetch")
    several.hide()
    several.show()

    assert names(several)[:3] == ["Recent", "fetch", "touch"]


def test_a_run_moves_no_row_until_the_list_is_another_anyway(
    several: ToolList, remembered: RememberedTools
) -> None:
    remembered.note_use("files:touch")
    several.replace_tools([replace(each) for each in SERVERS])
    assert names(several) == ALL

    QTest.keyClicks(several.search_box, "e")
    QTest.keyClick(several.search_box, Key.Key_Escape)

    assert names(several)[:2] == ["Recent", "touch"]


def test_the_same_tool_keeps_the_selection_where_it_was_chosen(
    several: ToolList, remembered: RememberedTools
) -> None:
    remembered.toggle_favourite("web:fetch")
    click(several, "fetch")
    assert several.view.currentIndex().row() == 1
    several.replace_tools([replace(each) for each in SERVERS])
    assert several.view.currentIndex().row() == 1


def test_the_row_above_a_section_keeps_the_keys_while_the_list_changes(
    several: ToolList,
) -> None:
    several.select("web:fetch")
    assert press(several, Key.Key_Left) == "web"

    several.replace_tools([tool("a:new"), *SERVERS])

    assert current(several) == "web"
