from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.servers.details_view import MAX_LINES, StderrView
from desktop.servers.transport.stderr_log import StderrLog

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def open_view(theme: Theme, qtbot: QtBot) -> StderrView:
    view = StderrView(theme)
    qtbot.addWidget(view)
    view.resize(400, 200)
    view.show()
    return view


def test_a_flood_is_taken_over_in_batches_and_only_its_end_is_kept(
    theme: Theme, qtbot: QtBot
) -> None:
    view, output = open_view(theme, qtbot), StderrLog()
    view.show_output(output)
    for start in range(0, 50_000, 100):
        output.add(*(f"line {n}" for n in range(start, start + 100)))
    assert view.text.toPlainText() == ""
    view.flush()
    lines = view.text.toPlainText().splitlines()
    assert len(lines) == MAX_LINES
    assert lines[-1] == "line 49999"


def test_it_follows_the_end_unless_a_person_scrolled_up(theme: Theme, qtbot: QtBot) -> None:
    view, output = open_view(theme, qtbot), StderrLog()
    output.add(*map(str, range(100)))
    view.show_output(output)
    bar = view.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(10)
    output.add("more")
    view.flush()
    assert bar.value() == 10
    bar.setValue(bar.maximum())
    output.add("and more")
    view.flush()
    assert bar.value() == bar.maximum()


def test_another_servers_lines_do_not_come_in(theme: Theme, qtbot: QtBot) -> None:
    view, one, two = open_view(theme, qtbot), StderrLog(), StderrLog()
    one.add("of one")
    view.show_output(one)
    view.show_output(two)
    one.add("late")
    two.add("<b>of two</b>")
    view.flush()
    assert view.text.toPlainText() == "<b>of two</b>"


def test_the_lines_can_be_copied_and_the_log_file_is_named(
    theme: Theme, qtbot: QtBot, tmp_path: Path
) -> None:
    view, output = open_view(theme, qtbot), StderrLog(tmp_path / "x.log")
    view.show_output(output)
    output.add("one", "two")
    QTest.mouseClick(view.copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "one\ntwo"
    assert view.open_file.isEnabled()
    output.close()


def test_without_a_log_there_is_none_to_open(theme: Theme, qtbot: QtBot) -> None:
    view = open_view(theme, qtbot)
    view.show_output(StderrLog())
    assert not view.open_file.isEnabled()
    view.show_output(None)
    assert view.text.toPlainText() == ""


def test_the_newest_line_is_in_sight_when_its_tab_is_opened(theme: Theme, qtbot: QtBot) -> None:
    view, output = StderrView(theme), StderrLog()
    qtbot.addWidget(view)
    view.resize(400, 200)
    output.add(*map(str, range(100)))
    view.show_output(output)
    output.add("the last")
    view.flush()
    view.show()  # only now it is laid out
    bar = view.text.verticalScrollBar()
    assert bar.maximum() > 0
    assert bar.value() == bar.maximum()
    view.resize(400, 120)
    assert bar.value() == bar.maximum()


def test_the_lines_between_two_runs_recede(theme: Theme, qtbot: QtBot) -> None:
    view, output = open_view(theme, qtbot), StderrLog()
    output.begin()
    output.add("first")
    output.begin()
    output.add("second")
    view.show_output(output)
    lines = view.text.toPlainText().splitlines()
    assert [lines[1], lines[3]] == ["first", "second"]
    muted = theme.color("muted").name()
    document = view.text.document()
    colours = [
        [
            one.format.foreground().color().name()
            for one in document.findBlockByNumber(n).layout().formats()
        ]
        for n in range(4)
    ]
    assert colours == [[muted], [], [muted], []]
