from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from desktop.gui.tools.tool_view import ExpandableText, ToolHeader
from desktop.gui.widgets.server_faces import face
from desktop.values.tool_types import Annotations, Metadata
from tests.gui.tools.fakes import tool

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


def test_a_short_text_is_shown_whole(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("<b>short</b>")
    text.show()
    assert text.start.text() == "<b>short</b>"
    assert text.start.textFormat() == Qt.TextFormat.PlainText
    assert not text.toggle.isVisible()


def test_a_long_text_unfolds_and_folds(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("\n".join(f"line {i}" for i in range(50)))
    text.show()
    assert text.start.text() == "line 0 …"
    QTest.mouseClick(text.toggle, Qt.MouseButton.LeftButton)
    assert text.whole.isVisible()
    assert "line 49" in text.whole.toPlainText()
    QTest.mouseClick(text.toggle, Qt.MouseButton.LeftButton)
    assert text.start.isVisible()


def test_without_text_it_takes_no_room(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("")
    assert text.isHidden()


def test_all_that_a_tool_says_of_itself_is_there(theme: Theme, qtbot: QtBot) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)
    header.show_tool(
        tool(
            "s:name",
            title="A title",
            description="What it does",
            category="math",
            annotations=Annotations(read_only=True),
            metadata=Metadata(version="1.2", author="Me", tags=("a", "b")),
        )
    )
    said = "\n".join(label.text() for label in header.findChildren(QLabel))
    for words in ("A title", "s:name", "read-only", "What it does", "math", "1.2", "Me", "a, b"):
        assert words in said


def test_a_long_key_is_copied_in_full(theme: Theme, qtbot: QtBot) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)
    key = "s:" + "n" * 500
    header.show_tool(tool(key))
    QTest.mouseClick(header.copy_key, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == key


def test_nothing_is_read_as_rich_text(theme: Theme, qtbot: QtBot) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)
    header.show_tool(
        tool("s:<b>n</b>", title="<u>t</u>", description="<img src=x>", category="<i>c</i>")
    )
    own = [label for label in header.findChildren(QLabel) if "<" in label.text()]
    assert len(own) == 4
    assert {label.textFormat() for label in own} == {Qt.TextFormat.PlainText}


def test_what_is_wrong_with_a_declaration_is_said_in_plain_text(theme: Theme, qtbot: QtBot) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)
    header.show_tool(tool("s:odd", problems=("inputSchema is missing", "<b>x</b>")))
    assert header.problems.text().endswith("inputSchema is missing; <b>x</b>")
    assert header.problems.textFormat() == Qt.TextFormat.PlainText
    assert not header.problems.isHidden()
    header.show_tool(tool("s:good"))
    assert header.problems.isHidden()


def test_the_face_of_its_server_stands_beside_the_name(theme: Theme, qtbot: QtBot) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)

    header.show_tool(tool("github:star"))

    assert header.face.pixmap().toImage() == face(theme, "github", size=28).toImage()


def test_a_key_without_room_is_elided_and_copied_whole(qtbot: QtBot, theme: Theme) -> None:
    header = ToolHeader(theme)
    qtbot.addWidget(header)
    key = "everything:get-structured-content"
    header.show_tool(tool(key, title="Structured", annotations=READ_ONLY))
    header.resize(1000, 300)
    header.show()
    qtbot.waitUntil(lambda: header.key.text() == key)
    header.resize(400, 300)
    qtbot.waitUntil(lambda: "…" in header.key.text())
    assert header.key.sizeHint().width() > header.key.width()
    QTest.mouseClick(header.copy_key, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == key


READ_ONLY = Annotations(read_only=True)


def test_a_text_with_marks_unfolds_to_what_they_mean(qtbot: QtBot) -> None:
    text = ExpandableText()
    qtbot.addWidget(text)
    text.show_text("## Usage\n\nYou **must** give `path`.\n\n- one\n- two")
    text.show()
    assert text.start.text() == "Usage …"
    QTest.mouseClick(text.toggle, Qt.MouseButton.LeftButton)
    assert text.markdown is not None
    assert text.markdown.isVisible()
    assert text.whole.isHidden()
    assert "You must give path." in text.markdown.page.toPlainText()
    text.show_text("plain, and\nlong")
    assert (text.markdown.isHidden(), text.whole.isHidden()) == (True, False)
