from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFontInfo, QPalette
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from desktop.base.paths import resources
from desktop.gui.layouts import in_column
from desktop.gui.theme import Theme, style
from desktop.gui.theme.theme import ZOOMS, chinese_families
from desktop.gui.theme.tokens import DARK, LIGHT, Tokens

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot


def _window_color(app: QApplication) -> str:
    return app.palette().color(QPalette.ColorRole.Window).name()


def test_choosing_dark_changes_the_whole_application_and_says_so(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    with qtbot.waitSignal(theme.changed):
        theme.set_scheme("dark")

    assert theme.is_dark
    assert _window_color(qapp) == DARK.surface
    assert DARK.card in qapp.styleSheet()


def test_a_widget_is_polished_twice_at_most_however_deep_it_is(qtbot: QtBot, theme: Theme) -> None:
    outer = inner = QWidget()
    qtbot.addWidget(outer)
    for _ in range(12):
        in_column(inner, within := QWidget())
        inner = within
    outer.show()
    counted = StyleChanges(inner)
    theme.set_scheme("dark")
    assert 1 <= counted.number <= 2


class StyleChanges(QObject):
    """Counts the events with which Qt tells a widget that its style is another."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.number = 0
        watched.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        self.number += event.type() == QEvent.Type.StyleChange
        return False


def test_choosing_what_is_already_there_changes_nothing(qtbot: QtBot, theme: Theme) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.set_scheme("light")


def test_without_a_dark_desktop_the_system_means_light(theme: Theme, qapp: QApplication) -> None:
    theme.set_scheme("dark")
    theme.set_scheme("system")

    assert theme.scheme == "system"
    assert _window_color(qapp) == LIGHT.surface


def test_the_systems_change_is_followed_only_when_asked_to(
    qapp: QApplication, theme: Theme
) -> None:
    theme.set_scheme("dark")

    qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())

    assert theme.is_dark


def test_a_color_is_that_of_the_mode_in_force(theme: Theme) -> None:
    assert theme.color("accent").name() == LIGHT.accent
    theme.set_scheme("dark")
    assert theme.color("accent").name() == DARK.accent


def test_the_font_for_servers_texts_has_body_size(theme: Theme) -> None:
    assert QFontInfo(theme.mono_font()).pointSizeF() == pytest.approx(theme.sizes.body, abs=0.5)


@pytest.mark.parametrize(("mode", "tokens"), [("light", LIGHT), ("dark", DARK)])
def test_ticks_and_arrows_have_the_colours_of_the_tokens(mode: str, tokens: Tokens) -> None:
    allowed = {getattr(tokens, name) for name in Tokens._fields} | {"none"}
    files = list((resources() / "icons" / mode).glob("*.svg"))

    found = {
        value
        for file in files
        for element in ElementTree.parse(file).iter()
        for key, value in element.attrib.items()
        if key in ("fill", "stroke")
    }

    assert files
    assert found <= allowed


def test_larger_and_smaller_text_reaches_labels_and_code_and_has_its_bounds(
    theme: Theme, qtbot: QtBot
) -> None:
    label, code, small = QLabel("a"), QPlainTextEdit("b"), QLabel("c")
    style(small, "small")
    code.setFont(theme.mono_font())
    for widget in (label, code, small):
        qtbot.addWidget(widget)
        widget.show()
    before = [QFontInfo(widget.font()).pointSizeF() for widget in (label, code, small)]
    try:
        theme.step_zoom(1)
        larger = [QFontInfo(widget.font()).pointSizeF() for widget in (label, code, small)]
        assert all(now > then for now, then in zip(larger, before, strict=True))
        for _ in range(20):
            theme.step_zoom(1)
        assert theme.zoom == ZOOMS[-1]
        for _ in range(20):
            theme.step_zoom(-1)
        assert theme.zoom == ZOOMS[0]
    finally:
        theme.step_zoom(0)
    assert [QFontInfo(widget.font()).pointSizeF() for widget in (label, code, small)] == before


def test_chinese_has_a_chinese_face_for_texts_and_code_after_the_systems_own(
    qapp: QApplication,
) -> None:
    assert chinese_families("darwin") == ["PingFang SC"]
    assert "Microsoft YaHei UI" in chinese_families("win32", is_code=True)
    texts, code = chinese_families("linux"), chinese_families("linux", is_code=True)
    assert not any(" JP" in family or " KR" in family for family in (*texts, *code))
    font, sheet = qapp.font(), qapp.styleSheet()
    made = Theme(qapp, "light", is_chinese=True)
    try:
        if sys.platform == "linux":
            assert qapp.font().families() == [QFontInfo(font).family(), *texts]  # no alias
            assert made.mono_font().families()[1:] == code
            assert all(f'"{family}"' in qapp.styleSheet() for family in code)
    finally:
        made.deleteLater()
        qapp.setFont(font)
        qapp.setStyleSheet(sheet)
