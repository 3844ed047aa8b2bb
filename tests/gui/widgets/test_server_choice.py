from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.widgets.server_choice import ServerChoice
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def offered(box: ServerChoice) -> list[str]:
    return [box.itemText(at) for at in range(1, box.count())]


def test_the_chosen_server_stays_chosen_though_it_is_offered_no_more(qtbot: QtBot) -> None:
    box = ServerChoice()
    qtbot.addWidget(box)
    assert box.server == ""
    box.offer(["time", "Files"])
    assert offered(box) == ["Files", "time"]
    box.setCurrentIndex(2)
    changes = noted(box.currentIndexChanged)
    box.offer(["Files", "web"])
    assert (box.server, offered(box)) == ("time", ["Files", "web", "time"])
    assert changes == []
    whole = "io.example.a/very-long-name-of-a-server-with-an-end"
    box.offer([whole])
    box.setCurrentIndex(1)
    for width, shown in ((150, ("io.ex", "-end")), (900, (whole, whole))):
        box.resize(width, 30)
        assert box.shown_text.startswith(shown[0])
        assert box.shown_text.endswith(shown[1])
    assert box.grab().width() == 900
    box.setCurrentIndex(0)
    box.offer(["web"])
    assert (box.server, offered(box)) == ("", ["web"])


def test_those_offered_before_can_be_kept(qtbot: QtBot) -> None:
    box = ServerChoice()
    qtbot.addWidget(box)
    box.offer(["b"], keeps=True)
    box.offer(["a", "b"], keeps=True)
    box.offer([], keeps=True)
    assert offered(box) == ["a", "b"]
