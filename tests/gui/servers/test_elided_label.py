from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.elided_label import ElidedLabel

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
