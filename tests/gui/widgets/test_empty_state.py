from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.widgets.empty_state import EmptyState
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_the_next_step_is_a_button(qtbot: QtBot, theme: Theme) -> None:
    empty = EmptyState(theme, "servers", "No servers yet", "Add one.")
    qtbot.addWidget(empty)
    steps: list[str] = []
    first = empty.add_button("Add server", lambda: steps.append("add"), "plus")
    second = empty.add_button("Import…", lambda: steps.append("import"))
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    QTest.mouseClick(second, Qt.MouseButton.LeftButton)

    assert steps == ["add", "import"]
    assert (first.property("role"), second.property("role")) == ("primary", None)


def test_a_screen_reader_hears_the_whole_sentence(qtbot: QtBot, theme: Theme) -> None:
    empty = EmptyState(theme, "tools", "No tools yet", "Connect a server.")
    qtbot.addWidget(empty)

    assert empty.accessibleName() == "No tools yet. Connect a server."


def test_the_words_can_change_to_another_language(qtbot: QtBot, theme: Theme) -> None:
    empty = EmptyState(theme, "tools", "No tools yet", "Connect a server.")
    qtbot.addWidget(empty)
    empty.set_text("还没有工具", "请连接服务器。")

    assert "还没有工具" in [label.text() for label in empty.findChildren(QLabel)]


async def test_where_it_is_too_low_it_scrolls(qtbot: QtBot, theme: Theme) -> None:
    empty = EmptyState(theme, "tools", "No tools yet", "Connect a server. " * 10)
    qtbot.addWidget(empty)
    empty.resize(260, 60)
    empty.show()
    await turns()
    for label in empty.findChildren(QLabel):
        assert label.height() >= label.heightForWidth(label.width())
    assert empty.verticalScrollBar().maximum() > 0
    empty.resize(260, 400)
    await turns()
    assert empty.verticalScrollBar().maximum() == 0
