from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.gui.elided_label import ElidedLabel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_long_text_gives_way_and_is_whole_in_the_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(80, 20)
    label.show()
    label.show_text("a rather <b>long</b> name of a server")
    assert label.text().endswith("…")
    assert "name of a server" in label.toolTip()
    assert "<" not in label.toolTip()
    assert label.accessibleName().startswith("a rather")
    label.resize(2000, 20)
    assert not label.text().endswith("…")
    assert label.toolTip() == ""


def test_a_long_path_gives_way_in_its_middle(qtbot: QtBot) -> None:
    path = "/home/ann/" + "deep/" * 40 + "mcp.json"
    label = ElidedLabel(Qt.TextElideMode.ElideMiddle)
    label.show_text(path)
    qtbot.addWidget(label)
    label.resize(200, 20)
    label.show()

    assert "…" in label.text()
    assert label.text().endswith("json")
    assert (label.accessibleName(), label.toolTip()) == (path, path)
